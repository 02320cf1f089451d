# bigdir: build · test · bench · install.  Everything built goes to $(BUILD).
#   make                        the tools, as build/mkfiles and so on
#   make static                 the same without shared libraries, in build/static
#   make install PREFIX=… DESTDIR=…          tools, man pages, schemas
#   make test                   all tests, of whatever is installed
#   make SANITIZE=thread BUILD=build/tsan     the same under a sanitizer

VERSION  := 0.1.0
BUILD    ?= build
# one name for each object, however it is asked for: lists of headers go by it
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
PREFIX   ?= /usr/local
CC       ?= gcc
CFLAGS   ?= -O2 -g -fno-plt
SANITIZE ?=

PACKAGES := popt libbsd-overlay libxxhash jansson ext2fs com_err
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
	    -Wmissing-prototypes -Wvla -Werror
LIB_FOLDERS := lib $(patsubst %/,%,$(wildcard lib/*/))
INCLUDES := $(LIB_FOLDERS:%=-I%)
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -DBIGDIR_VERSION='"$(VERSION)"' \
	    $(INCLUDES) -pthread -MMD -MP $(WARNINGS) -ffp-contract=off \
	    $(shell pkg-config --cflags $(PACKAGES)) $(CFLAGS) \
	    $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
LIBS     := $(shell pkg-config --libs $(PACKAGES)) -lm
STATIC_LIBS = $(shell pkg-config --static --libs $(PACKAGES)) -lm

LIB_SOURCES  := $(wildcard lib/*.c lib/*/*.c)
TOOLS        := $(patsubst bin/%.c,%,$(wildcard bin/*.c))
UNIT_TESTS   := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
DRIVERS      := $(patsubst tests/drivers/%.c,%,$(wildcard tests/drivers/*.c))
PAGES        := $(wildcard bin/*.[17])
SCHEMAS      := $(wildcard doc/*.schema.json)

LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o)
LIB         := $(BUILD)/libbigdir.a

# make V=1 shows whole commands.
V ?= 0
ifeq ($(V),0)
  Q = @printf '  %-8s%s\n' $(1) $@;
endif

all: $(TOOLS:%=$(BUILD)/%) $(PAGES:bin/%=$(BUILD)/%)

$(LIB): $(LIB_OBJECTS)
	@rm -f $@
	$(call Q,AR)$(AR) rcs $@ $^

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call Q,CC)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/bin/%.o $(LIB)
	$(call Q,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# The tools without shared libraries, for where there are none: a guest of QEMU.
static: $(TOOLS:%=$(BUILD)/static/%)

$(TOOLS:%=$(BUILD)/static/%): $(BUILD)/static/%: $(BUILD)/bin/%.o $(LIB)
	@mkdir -p $(@D)
	$(call Q,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -static -s -o $@ $^ $(STATIC_LIBS)

$(PAGES:bin/%=$(BUILD)/%): $(BUILD)/%: bin/%
	@mkdir -p $(@D)
	$(call Q,COPY)cp $< $@

$(BUILD)/unit/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	$(call Q,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) -lcmocka

# Programs that the tests of the tools run beside them.
$(BUILD)/drivers/%: tests/drivers/%.c $(LIB)
	@mkdir -p $(@D)
	$(call Q,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS)

drivers: $(DRIVERS:%=$(BUILD)/drivers/%)

unit: $(UNIT_TESTS:%=$(BUILD)/unit/%)

# Yardsticks: no library, nothing of the tools.
$(BUILD)/bench/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call Q,LINK)$(CC) -std=gnu11 -D_GNU_SOURCE -pthread $(WARNINGS) \
		$(CFLAGS) $(LDFLAGS) -o $@ $<

# What our own measuring costs, against a loop that measures nothing.
bench: all $(BUILD)/bench/bare $(BUILD)/bench/replay
	BUILD=$(BUILD) scripts/bench

# Who is fastest: the tools, the bare loop, and every other benchmark at hand.
race: all $(BUILD)/bench/bare
	BUILD=$(BUILD) scripts/race

# Who empties a directory fastest, as root; some hours, and any part of it tells.
race-delete: all
	BUILD=$(BUILD) scripts/race-delete

test:
	@tests/run

# Static analysis: what it finds is an error.
LINT_FLAGS := -std=gnu11 -D_GNU_SOURCE -DBIGDIR_VERSION='"$(VERSION)"' $(INCLUDES) \
	    $(shell pkg-config --cflags $(PACKAGES))
LINTED := $(LIB_SOURCES) $(wildcard bin/*.c)

lint: $(LINTED:%=$(BUILD)/lint/%)
	cppcheck -q --std=c11 --enable=warning,performance,portability \
		--inline-suppr --error-exitcode=1 $(INCLUDES) -D_GNU_SOURCE \
		-DBIGDIR_VERSION='"$(VERSION)"' lib bin

$(BUILD)/lint/%: %
	@mkdir -p $(@D)
	$(call Q,LINT)gcc $(LINT_FLAGS) -O1 -fanalyzer -Werror -c -o /dev/null $<
	@clang-tidy --quiet $< -- $(LINT_FLAGS) 2>/dev/null
	@touch $@

# Below $(DESTDIR)$(PREFIX): tools, pages, and the schemas of their records.
SHARE = $(DESTDIR)$(PREFIX)/share
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/bigdir \
		$(SHARE)/man/man1 $(SHARE)/man/man7
	install $(TOOLS:%=$(BUILD)/%) $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(filter %.1,$(PAGES)) $(SHARE)/man/man1
	install -m 644 $(filter %.7,$(PAGES)) $(SHARE)/man/man7
	install -m 644 $(SCHEMAS) $(SHARE)/bigdir

clean:
	rm -rf $(BUILD)

.PHONY: all bench clean drivers install lint race race-delete static test unit
.DELETE_ON_ERROR:

-include $(LIB_OBJECTS:.o=.d) $(TOOLS:%=$(BUILD)/bin/%.d)
