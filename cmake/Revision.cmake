# cmake -DSOURCE=... -DOUTPUT=revision.h [-DREVISION=...] -P Revision.cmake
#
# Writes TWINTREE_REVISION into a header: REVISION if it says one, else the commit that SOURCE is
# at, with -dirty behind it where files differ from it, else "unknown". The header is touched only
# when that changes.
if(NOT REVISION)
  execute_process(
    COMMAND git describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY "${SOURCE}"
    OUTPUT_VARIABLE REVISION
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
if(NOT REVISION)
  set(REVISION unknown)
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define TWINTREE_REVISION \"${REVISION}\"\n")
