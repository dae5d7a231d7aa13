"""Questions over the index, one module each: a session and a question in, a frozen answer out."""
