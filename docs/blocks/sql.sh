# not run: the integration has tests of its own
# not run: needs workers, which these tests start
printf 'n,x,name\n1,2.5,a\n20,3,b\n' > people.csv
b2nd create-table people.csv run.b2z/people
# block
