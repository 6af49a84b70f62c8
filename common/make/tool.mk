# Builds `ladder`, the C tool that reads heads, `runs`, claims and result tables. The includer sets COMMON.

ifneq ($(filter undefined default,$(origin CC)),)
CC := gcc
endif
# The legend of the mark in `make list`.
CORE_LEGEND := core: the core ladder, a shorter course: the stages of the lecture and those that lead to the fastest one

LADDER := $(dir $(COMMON))build/ladder

# Of grading, the parts that build and judge submissions.
GRADE_TOOL := $(COMMON)/emu/pass/lex.h $(addprefix $(COMMON)/grade/,grade.c grade.h build.c judge.c source.c source.h \
	object.c lists.c lists.h limited.c limited.h grade_limits.h confine.c confine.h)
# The parts that grade a class.
GRADE_TOOL += $(addprefix $(COMMON)/grade/,workers.c workers.h grade_class.c class.c class.h points.c paths.c \
	gradebook.c feedback.c content.c content.h \
	visible.c visible.h sha256.c sha256.h run_folder.c run_folder.h inherited.c inherited.h)
# Of the model of time, the names of GPUs and the readers of machine code.
MODEL_TOOL := $(COMMON)/emu/pass/lex.h $(addprefix $(COMMON)/model/,gpu.c gpu.h code.c code.h decode.c needs.c \
	opcodes.c play.h model.h numbers.h reader.h record.c run.h warp.c warp.h words.c)
TOOL_FOLDERS := $(addprefix $(COMMON)/,base table grade model tool $(addprefix tool/,text runs figures events book))
TOOL_FILES := $(wildcard $(addsuffix /*.[ch],$(filter-out %/grade %/model,$(TOOL_FOLDERS)))) $(GRADE_TOOL) $(MODEL_TOOL)
# An object per folder, so that make builds several at a time. The files of some are compiled as one, because headers
# are then read once: there, names of static functions differ.
TOOL_UNITS  := $(addprefix $(COMMON)/,base table tool/text)
tool_object = $(dir $(LADDER))tool/$(subst /,_,$(1:$(COMMON)/%=%)).o
tool_files  = $(foreach f,$(filter %.c,$(TOOL_FILES)),$(if $(filter $1/,$(dir $f)),$f))
TOOL_OBJS  := $(foreach d,$(TOOL_FOLDERS),$(call tool_object,$d))
$(foreach d,$(TOOL_FOLDERS),$(eval $(call tool_object,$d): $(call tool_files,$d)))
$(foreach d,$(TOOL_UNITS),$(eval $(call tool_object,$d): as_one := x))
$(TOOL_OBJS): $(filter %.h,$(TOOL_FILES))
	@$(call installed,$(firstword $(CC)))
	@$(announce_tool)
	@mkdir -p $(@D) && $(CC) -std=gnu11 -O0 -Wall -Wextra $(TOOL_FOLDERS:%=-I%) -r -nostdlib $(if $(as_one),\
		$(patsubst %,-include %,$(filter %.c,$^)) -x c /dev/null,$(filter %.c,$^)) -o $@.$$$$ && mv $@.$$$$ $@
announce_tool = $(if $(quiet)$(announced_tool),:,$(eval announced_tool := yes)echo \
	'building $(notdir $(LADDER)), the tool that make uses; this takes several seconds, once' >&2)
# A copy of `ladder` without its objects is up to date.
.SECONDARY: $(TOOL_OBJS)
$(LADDER): $(TOOL_OBJS)
	@$(CC) $^ -lm -o $@.$$$$ && mv $@.$$$$ $@
