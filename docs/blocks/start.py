# not run: needs the wheel, whose tests read arrays as this does
