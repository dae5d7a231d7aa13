-- Which closes, retractions and withdrawals changed nothing at their own record instant, and why.
create view ineffective as
select
    events.*,
    findings.message as reason
from events
join findings on findings.path = events.path and findings.line = events.line
where findings.code = 'ineffective';
