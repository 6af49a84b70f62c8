# What the command line may contain, for the root Makefile and for a week's: variables, and the names of targets. The includer sets COMMON and AWK.

# Empty unless make -s was given; unless make -q was.
quiet  := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
asking := $(findstring q,$(filter-out --%,$(firstword -$(MAKEFLAGS))))

# Variables on the command line that are not settings of these rules are knobs.
SETTINGS := DEVICE ARCH RUN STAGES STAGE A B N NAME TO FROM OUT RESUME CSV ASSIGNMENT FEEDBACK SECONDS CONFINE HINT EXERCISES BESIDE PARTS ONLY ARGS FORMAT V COLUMN KEEP TEMPLATE \
	WARP ACCESS LINE EVENTS $(if $(filter lanes trace,$(MAKECMDGOALS)),BLOCK) \
	CUDA_HOME NVCC NVCCFLAGS CC CFLAGS CXX CXXFLAGS LDFLAGS AWK GNUPLOT NCU SANITIZER PROVE TESTS
KNOBS    := $(filter-out $(SETTINGS) MAKEOVERRIDES MAKEFLAGS -%,$(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v)))

# Paths of the user, for slides.sh. A relative one starts at the folder where make was called, whose path a recursive make inherits.
path_of = $(if $(value $1),$(if $(filter x/%,$(firstword x$(value $1))),,$(CURDIR)/)$(value $1))
ifndef LADDER_DECKS
export LADDER_DECKS    := $(call path_of,KEEP)
export LADDER_TEMPLATE := $(call path_of,TEMPLATE)
endif

# The program of RUN, a prefix that may begin with variables: RUN="A=1 srun".
launcher := $(if $(filter-out $(PASSIVE),$(or $(MAKECMDGOALS),all)),$(firstword $(foreach w,$(RUN),$(if $(findstring =,$w),,$w))))
$(if $(launcher),$(if $(shell command -v $(call quoted,$(launcher))),,$(error RUN=$(RUN): there is no program $(launcher) here)))

# Everything is built in the course's own folders.
ifneq ($(filter-out help,$(or $(MAKECMDGOALS),all)),)
unwritable := $(shell for d in . build $(dir $(COMMON))build; do [ -w $$d ] || { [ ! -e $$d ] && [ -w $${d%build}. ]; } || { echo $$d; break; }; done)
$(if $(unwritable),$(error make builds in the folders of the course$(comma) and cannot write $(CURDIR)$(patsubst %,/%,$(filter-out .,$(unwritable))); work in a copy of your own: git clone or cp -r))
endif

# The names of the targets that `make help` lists for these makefiles.
named_targets = $(shell $(AWK) -f $(COMMON)/make/help.awk $1 | sed -n 's/^  \([a-z][A-Za-z_-]*\) .*/\1/p')
# The goals that are names, not files. Those of make --eval cannot be known.
goal_names    = $(if $(findstring --eval,$(MAKEFLAGS)),,$(foreach g,$(MAKECMDGOALS),$(if $(findstring /,$g)$(wildcard $g),,$g)))
# Lists the targets, in lines that fit the terminal.
help          = $(AWK) -v width="$${COLUMNS:-$$(stty size <&1 2>/dev/null | cut -d ' ' -f 2)}" -f $(COMMON)/make/help.awk
