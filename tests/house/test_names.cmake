# The names of all tests are words: no number in place of a parameter, no bytes of an object.
# Called with -DBUILD=... -DCTEST=... -DSCRATCH=... From a folder of its own: even a list takes the place of the log of the run that
# this is a test of.
file(WRITE ${SCRATCH}/list_of_tests/CTestTestfile.cmake "subdirs(\"${BUILD}\")\n")
execute_process(COMMAND ${CTEST} --test-dir ${SCRATCH}/list_of_tests -N OUTPUT_VARIABLE listing RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "ctest -N gives ${result}")
endif()
string(REGEX MATCHALL "Test +#[0-9]+: [^\n]*" names "${listing}")
list(LENGTH names count)
if(count LESS 2)
  message(FATAL_ERROR "no names of tests in what ctest -N prints:\n${listing}")
endif()
list(FILTER names INCLUDE REGEX "GetParam|TypeParam|-byte|/-?[0-9.]+$")
if(names)
  list(JOIN names "\n  " names)
  message(FATAL_ERROR "Give these a name for each parameter, in INSTANTIATE_TEST_SUITE_P:\n  ${names}")
endif()
