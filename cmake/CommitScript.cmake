# Writes HEADER with the commit of SOURCE, only when it has changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=* OUTPUT_VARIABLE name
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT name)
  set(name unknown)
endif()
set(text "#define COMMIT_NAME \"${name}\"\n")
set(before "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${HEADER} "${text}")
endif()
