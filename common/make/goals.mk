# What the command line may contain, for the root Makefile and for a week's: variables, and the names of targets. The
# includer sets COMMON.

# Empty unless make was called with -s, with -n, with -q.
quiet  := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
dry    := $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
asking := $(findstring q,$(filter-out --%,$(firstword -$(MAKEFLAGS))))

# Variables on the command line that are not settings of these rules are knobs.
SETTINGS := DEVICE ARCH RUN STAGES STAGE A B N NAME TO FROM OUT RESUME CSV ASSIGNMENT FEEDBACK SECONDS CONFINE HINT \
	EXERCISES BESIDE PARTS ONLY FOR NVDISASM ARGS FORMAT V COLUMN HEAD KEEP TEMPLATE REVEALJS \
	NOTES SEED PREDICT EXTRA FONT SCALE PALETTE \
	WARP ACCESS LINE EVENTS \
	$(if $(filter lanes trace,$(MAKECMDGOALS)),BLOCK) \
	CUDA_HOME NVCC NVCCFLAGS CC CFLAGS CXX CXXFLAGS LDFLAGS AWK GNUPLOT NCU SANITIZER PROVE TESTS BRIEF
KNOBS    := $(filter-out $(SETTINGS) MAKEOVERRIDES MAKEFLAGS -%,\
	$(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v)))

# A path of the user, in a variable. A relative one starts at the folder where make was called, which recursive makes
# inherit. It may have any characters, so that no function of make splits it into words.
ifndef LADDER_HERE
export LADDER_HERE := $(CURDIR)
endif
path_of = $(if $(value $1),$(if $(filter x/%,$(firstword x$(value $1))),,$(LADDER_HERE)/)$(value $1))
# The folder of private exercises, for `ladder exercise`.
ifndef LADDER_EXERCISES
export LADDER_EXERCISES := $(call path_of,EXERCISES)
endif
export LADDER_FONT LADDER_SCALE LADDER_PALETTE
LADDER_FONT := $(if $(filter command,$(origin FONT)),$(value FONT),$(LADDER_FONT))
LADDER_SCALE := $(if $(filter command,$(origin SCALE)),$(value SCALE),$(LADDER_SCALE))
LADDER_PALETTE := $(if $(filter command,$(origin PALETTE)),$(call path_of,PALETTE),$(LADDER_PALETTE))
decks = $(foreach v,KEEP TEMPLATE REVEALJS,$(if $(value $v),--$v $(call quoted,$(call path_of,$v)))) \
	$(if $(NOTES),--NOTES $(call quoted,$(NOTES)))

# The program of RUN, a prefix that may begin with variables: RUN="A=1 srun".
launcher := $(if $(active),$(firstword $(foreach w,$(RUN),$(if $(findstring =,$w),,$w))))
$(if $(launcher),$(if $(shell command -v $(call quoted,$(launcher))),,\
	$(error RUN=$(RUN): there is no program $(launcher) here)))

# Everything is built in the course's own folders.
ifneq ($(filter-out help,$(or $(MAKECMDGOALS),all)),)
unwritable := $(shell for d in . build $(dir $(COMMON))build; do \
	[ -w $$d ] || { [ ! -e $$d ] && [ -w $${d%build}. ]; } || { echo $$d; break; }; done)
unwritable := $(if $(unwritable),$(CURDIR)$(patsubst %,/%,$(filter-out .,$(unwritable))))
$(if $(unwritable),$(error make builds in the folders of the course$(comma) and cannot write $(unwritable);\
	work in a copy of your own: git clone or cp -r))
endif

# The goals that are names, not files. Those of make --eval cannot be known.
goal_names = $(if $(findstring --eval,$(MAKEFLAGS)),,\
	$(foreach g,$(MAKECMDGOALS),$(if $(findstring /,$g)$(wildcard $g),,$g)))

# $(call words_file,OPTIONS) is the recipe of a makefile that defines wrong_word, which is empty or says what is wrong
# with the command line. It is made if something may be wrong; then make starts again, removes it, and has its text in
# judged. Its name has the number of this make, because another one may run in the same folder.
words_mk   = words.$(shell echo $$PPID).mk
judged_by  = $(if $(MAKE_RESTARTS),$(file <$1)$(shell rm -f $1))
words_file = @$(LADDER) words --out $@ $1 -- $(foreach k,$(KNOBS),$(call quoted,$k=$(value $k)))
wrong_word :=
