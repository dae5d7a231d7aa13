-- The words by which passages are found, and in how many passages of a scope each stands, in the text or in what is said of it.
create view terms as
select term, field, count(*) as df, scope_key from postings group by all;
