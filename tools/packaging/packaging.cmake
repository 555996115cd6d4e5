# What is installed beside the program and its data: the public headers, the CMake package, a man page and the completion of the shell;
# the target `documentation`; and the Debian package that `cpack` makes.
include(CMakePackageConfigHelpers)

# When they are installed, so that a header which includes another one brings it along.
install(CODE "
  include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
  delassus_public_closure(${PROJECT_SOURCE_DIR} headers)
  foreach(header IN LISTS headers)
    get_filename_component(folder \${header} DIRECTORY)
    file(INSTALL DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/delassus/\${folder} TYPE FILE FILES ${PROJECT_SOURCE_DIR}/\${header})
  endforeach()")

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/delassus-config.cmake.in ${PROJECT_BINARY_DIR}/delassus-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/delassus)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/delassus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT delassus NAMESPACE delassus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/delassus)
install(FILES ${PROJECT_BINARY_DIR}/delassus-config.cmake ${PROJECT_BINARY_DIR}/delassus-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/delassus)

# The completion asks the program itself.
install(FILES ${delassus_man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME delassus)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

find_program(DELASSUS_DOXYGEN doxygen DOC "Makes the pages of the public headers")
set(document ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DFOLDER=${PROJECT_BINARY_DIR}/documentation
  -DDOXYGEN=$<$<BOOL:${DELASSUS_DOXYGEN}>:${DELASSUS_DOXYGEN}> -DVERSION=${PROJECT_VERSION}
  -P ${CMAKE_CURRENT_LIST_DIR}/documentation.cmake)
add_custom_target(documentation COMMAND ${document} VERBATIM)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME delassus)
set(CPACK_PACKAGE_VENDOR Delassus)
set(CPACK_PACKAGE_CONTACT "The authors of Delassus <delassus@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Makes FMI 2.0 and FMI 3.0 FMUs of bodies with frictional unilateral contact, checks and simulates them,
and tells where the contact problem has several solutions or none. With the C++ libraries that it is made of.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)  # delassus_<version>_<architecture>.deb
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# PNG, PDF and GIF.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "librsvg2-2, fonts-dejavu-core")
# For programs that use the libraries, for videos, and for `mpirun delassus sweep`.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libeigen3-dev, libboost-dev, libxml2-dev, openmpi-bin, ffmpeg")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
include(CPack)

if(DELASSUS_BUILD_TESTS)
  add_test(NAME PublicHeaders.AreDocumentedWithoutAWarning COMMAND ${document})
  set_tests_properties(PublicHeaders.AreDocumentedWithoutAWarning PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped: ")
  # Not with the sanitizers, on whose libraries the packaged FMU would depend.
  if(NOT DELASSUS_SANITIZE)
    add_test(NAME DebianPackage.MakesAndChecksAnFmuFromAnEmptyRoot COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
      -DSCRATCH=${PROJECT_BINARY_DIR}/debian -DVERSION=${PROJECT_VERSION} -DCPACK=${CMAKE_CPACK_COMMAND}
      -P ${CMAKE_CURRENT_LIST_DIR}/debian_package_test.cmake)
    set_tests_properties(DebianPackage.MakesAndChecksAnFmuFromAnEmptyRoot PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped: " TIMEOUT 600)
  endif()
endif()
