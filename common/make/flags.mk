# A file of flags changes only if the flags do. What was compiled with them depends on it. $(call keep_flags,FLAGS) is its recipe.

.PHONY: force
force:

quoted     = '$(subst ','\'',$1)'
# Without a newline at the end: make 4.3 does not always remove it.
keep_flags = @$(if $(call differ,$1,$(file <$@)),mkdir -p $(@D) && printf %s $(call quoted,$1) >$@.$$$$ && mv -f $@.$$$$ $@)
# Not empty if two texts differ.
differ     = $(subst x$1,,x$2)$(subst x$2,,x$1)
