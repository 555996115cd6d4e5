# cmake -DNM=<program> -DOBJECTS=<list> -DEXPORTS=<file> -P windows_exports.cmake
# Writes a module definition file with the functions of both standards that the objects define. On Linux, exports.map does this.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${NM} --defined-only ${OBJECTS} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T fmi[23][A-Za-z0-9]+" functions "${symbols}")
list(TRANSFORM functions REPLACE " T " "  ")
list(SORT functions)
list(JOIN functions "\n" functions)
file(WRITE ${EXPORTS} "EXPORTS\n${functions}\n")
