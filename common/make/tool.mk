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
TOOL_FOLDERS := $(addprefix $(COMMON)/,base table tool/text tool/runs tool/figures tool/events tool/book grade model)
$(LADDER): $(wildcard $(addsuffix /*.[ch],$(COMMON)/tool $(filter-out %/grade %/model,$(TOOL_FOLDERS)))) $(GRADE_TOOL) \
		$(MODEL_TOOL)
	@$(call installed,$(firstword $(CC)))
	@$(if $(quiet),:,echo 'building $(notdir $@), the tool that make uses; this takes several seconds, once' >&2)
	@mkdir -p $(@D) && $(CC) -std=gnu11 -O0 -Wall -Wextra $(TOOL_FOLDERS:%=-I%) $(filter %.c,$^) -lm -o $@.$$$$ && mv \
		$@.$$$$ $@
