# Read by cpack: the packages that the program itself needs. The module for MPI is loaded only under mpirun, and its library is a
# suggestion, so cpack's own search, which looks at every file, would ask for too much.
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(NOT DPKG_SHLIBDEPS)
  message(FATAL_ERROR "a Debian package needs dpkg-shlibdeps, of dpkg-dev, to know what the program depends on")
endif()
get_filename_component(build ${CPACK_OUTPUT_CONFIG_FILE} DIRECTORY)
set(folder ${build}/debian_dependencies)
file(WRITE ${folder}/debian/control "Source: delassus\n\nPackage: delassus\nArchitecture: any\n")
execute_process(COMMAND ${DPKG_SHLIBDEPS} -O -e${build}/delassus WORKING_DIRECTORY ${folder}
  OUTPUT_VARIABLE depends ERROR_VARIABLE messages RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT result EQUAL 0 OR NOT depends MATCHES "^shlibs:Depends=")
  message(FATAL_ERROR "dpkg-shlibdeps gives ${result}: ${messages}")
endif()
string(REPLACE "shlibs:Depends=" "" CPACK_DEBIAN_PACKAGE_DEPENDS "${depends}")
