# block
# not run: needs the plugins, which the step `capi` tests
# not run: needs a clone of C-Blosc
# not run: needs PyTables, compiled from source
