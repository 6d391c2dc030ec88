# not run: needs DuckDB, pandas, and a tool with the feature `arrow`
