# A file of flags changes only if the flags do. What was compiled with them depends on it. $(call keep_flags,FLAGS) is its recipe.

.PHONY: force
force:

quoted     = '$(subst ','\'',$1)'
keep_flags = @mkdir -p $(@D) && printf '%s\n' $(call quoted,$1) | cmp -s - $@ || \
	{ printf '%s\n' $(call quoted,$1) > $@.$$$$ && mv -f $@.$$$$ $@; }
