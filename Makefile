# bigdir: build · test · bench · install.  Everything built goes to $(BUILD).
#   make                        the tools, as build/mkfiles and so on
#   make SANITIZE=thread BUILD=build/tsan     the same under a sanitizer

VERSION  := 0.1.0
BUILD    ?= build
PREFIX   ?= /usr/local
CC       ?= gcc
CFLAGS   ?= -O2 -g
SANITIZE ?=

PACKAGES := popt libbsd-overlay libxxhash jansson ext2fs com_err
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
	    -Wmissing-prototypes -Wvla -Werror
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -DBIGDIR_VERSION='"$(VERSION)"' \
	    -Ilib -pthread -MMD -MP $(WARNINGS) \
	    $(shell pkg-config --cflags $(PACKAGES)) $(CFLAGS) \
	    $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
LIBS     := $(shell pkg-config --libs $(PACKAGES)) -lm

LIB_SOURCES  := $(wildcard lib/*.c)
TOOLS        := $(patsubst bin/%.c,%,$(wildcard bin/*.c))
UNIT_TESTS   := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
DRIVERS      := $(patsubst tests/drivers/%.c,%,$(wildcard tests/drivers/*.c))
PAGES        := $(wildcard bin/*.1)

LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o)
LIB         := $(BUILD)/libbigdir.a

all: $(TOOLS:%=$(BUILD)/%) $(PAGES:bin/%=$(BUILD)/%)

$(LIB): $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/bin/%.o $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.1: bin/%.1
	@mkdir -p $(@D)
	cp $< $@

$(BUILD)/unit/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) -lcmocka

# Programs that the tests of the tools run beside them.
$(BUILD)/drivers/%: tests/drivers/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS)

drivers: $(DRIVERS:%=$(BUILD)/drivers/%)

unit: $(UNIT_TESTS:%=$(BUILD)/unit/%)

clean:
	rm -rf $(BUILD)

.PHONY: all drivers unit clean
.DELETE_ON_ERROR:

-include $(LIB_OBJECTS:.o=.d) $(TOOLS:%=$(BUILD)/bin/%.d)
