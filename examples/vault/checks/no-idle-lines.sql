-- Every close, retraction and withdrawal ended something.
select kind, subject, predicate, path, line, reason
from ineffective;
