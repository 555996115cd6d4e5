# clang-tidy on all headers of the rooms at once: reading them once costs less than a minute, where all sources cost more than half an
# hour (`tools/test --tidy`). Called with -DTIDY=<clang-tidy> -DSOURCE=<root> -DSCRATCH=<folder> -DINCLUDES=<folders of other libraries>.
cmake_policy(VERSION 3.22)
if(NOT TIDY)
  message("Skipped: clang-tidy is not installed")
  return()
endif()
execute_process(COMMAND ${TIDY} --version OUTPUT_VARIABLE version)
if(NOT version MATCHES "version 14\\.")
  message("Skipped: needs clang-tidy 14, since others find other things")
  return()
endif()

file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/model/*.hpp ${SOURCE}/solver/*.hpp ${SOURCE}/fmu/*.hpp ${SOURCE}/xml/*.hpp ${SOURCE}/tools/*.hpp)
# The two faces of FMI have the same names, and stand in two programs.
set(fmi3 ${headers})
list(FILTER headers EXCLUDE REGEX "^fmu/fmi3/")
list(FILTER fmi3 INCLUDE REGEX "^fmu/fmi3/")
foreach(set headers fmi3)
  list(TRANSFORM ${set} REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE lines)
  string(JOIN "" text ${lines})
  file(WRITE ${SCRATCH}/all_${set}.cpp "${text}")
endforeach()
list(TRANSFORM INCLUDES PREPEND -isystem)
execute_process(COMMAND ${TIDY} --quiet --config-file=${SOURCE}/.clang-tidy ${SCRATCH}/all_headers.cpp ${SCRATCH}/all_fmi3.cpp
    -- -std=c++20 -I${SOURCE} ${INCLUDES} WORKING_DIRECTORY ${SOURCE}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE messages)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}\n${messages}")
endif()
