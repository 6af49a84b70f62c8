# A file of flags changes only if the flags do. What was compiled with them depends on it:
#
#     FILE: $(call if_changed,FILE,FLAGS)
#     	$(call keep_flags,FLAGS,COMPILERS)
#
# It depends on `force` only if it has other flags, so that make -n and make -q know what is up to date, and change no
# file. Other compilers are other flags, so that it is only then that one may be missing.

.PHONY: force
force:

quoted     = '$(subst ','\'',$1)'
if_changed = $(if $(call differ,$2,$(file <$1)),force)
# Without a newline at the end: make 4.3 does not always remove it.
keep_flags = @$(call installed,$2) && mkdir -p $(@D) && printf %s $(call quoted,$1) >$@.$$$$ && mv -f $@.$$$$ $@
# A shell's command that fails if one of these compilers is not installed.
installed  = for c in $1; do command -v $$c >/dev/null || \
	{ echo "$$c is not installed: apt-get install $${c\#\#*/}" >&2; exit 1; }; done
# Not empty if two texts differ.
differ     = $(subst x$1,,x$2)$(subst x$2,,x$1)
# For a make that only builds: on all cores, unless -j was given.
all_cores = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(or $(shell nproc 2>/dev/null),2))
