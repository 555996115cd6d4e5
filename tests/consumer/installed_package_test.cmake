# Installs the build into a folder, builds the program in consumer/ against it and runs it with an installed scene; then the installed
# program `delassus` makes an FMU from there. Called with -DBUILD=... -DSOURCE=... -DSCRATCH=... -DGENERATOR=...
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nexit code ${result}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/consumer -B ${SCRATCH}/consumer -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix
    -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run(${SCRATCH}/consumer/consumer ${SCRATCH}/prefix/share/delassus/scenes/sliding_block.xml)
run(${SCRATCH}/prefix/bin/delassus build impact -o ${SCRATCH}/impact.fmu)
# With sanitizers the FMU's binary needs their libraries, and the checker warns of it.
if(NOT CXX_FLAGS MATCHES sanitize)
  run(${SCRATCH}/prefix/bin/delassus check ${SCRATCH}/impact.fmu)
endif()
