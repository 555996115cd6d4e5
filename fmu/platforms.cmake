# The FMU's binary for other platforms, where a cross compiler for them is installed: built with everything else and put beside
# the one for this machine, from where `delassus build` packs all that there are.
#   delassus_platform_binary(<platform in FMI 3's words> <compiler> <extension> COMPILE <options> LINK <options>)
# The sources are those of the rooms, in a few large units (unity.cmake). Eigen, Boost and cereal are headers alone and reached
# through links in a folder of their own: /usr/include has the C library of this machine.
set(delassus_unity_units 8)
set(delassus_platform_folder ${PROJECT_BINARY_DIR}/platforms)

set(unity_sources "")
set(separate_sources "")
foreach(target delassus_model delassus_solver delassus_fmu delassus_fmu_binary)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    # `using enum` gives names to the whole unit that only the compiler knows.
    file(STRINGS ${folder}/${source} opens_names REGEX "^using enum")
    if(opens_names)
      list(APPEND separate_sources ${folder}/${source})
    else()
      list(APPEND unity_sources ${folder}/${source})
    endif()
  endforeach()
endforeach()
list(JOIN unity_sources "\n" unity_list)
file(CONFIGURE OUTPUT ${delassus_platform_folder}/sources CONTENT "${unity_list}\n")
set(unity_units "")
math(EXPR last_unit "${delassus_unity_units} - 1")
foreach(unit RANGE ${last_unit})
  list(APPEND unity_units ${delassus_platform_folder}/unity_${unit}.cpp)
endforeach()
add_custom_command(OUTPUT ${unity_units}
  COMMAND ${CMAKE_COMMAND} -DSOURCES=${delassus_platform_folder}/sources -DGROUPS=${delassus_unity_units}
    -DFOLDER=${delassus_platform_folder} -P ${CMAKE_CURRENT_SOURCE_DIR}/unity.cmake
  DEPENDS ${unity_sources} ${delassus_platform_folder}/sources ${CMAKE_CURRENT_SOURCE_DIR}/unity.cmake
  COMMENT "Grouping the sources for other platforms" VERBATIM)
# Several custom targets depend on these files: one target makes them once.
add_custom_target(delassus_unity DEPENDS ${unity_units})

get_target_property(eigen_folder Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
file(MAKE_DIRECTORY ${delassus_platform_folder}/include)
foreach(library Eigen boost cereal)
  find_path(delassus_${library}_folder ${library} PATHS ${eigen_folder} ${Boost_INCLUDE_DIRS} ${cereal_include_directories} REQUIRED)
  file(CREATE_LINK ${delassus_${library}_folder}/${library} ${delassus_platform_folder}/include/${library} SYMBOLIC)
endforeach()

function(delassus_platform_binary platform compiler extension)
  cmake_parse_arguments(BINARY "WINDOWS" "" "COMPILE;LINK" ${ARGN})
  set(folder ${delassus_platform_folder}/${platform})
  set(binary ${PROJECT_BINARY_DIR}/share/delassus/binaries/${platform}/delassus_fmu${extension})
  file(MAKE_DIRECTORY ${folder} ${PROJECT_BINARY_DIR}/share/delassus/binaries/${platform})
  set(options -O2 -DNDEBUG -ffp-contract=off -ffunction-sections -fdata-sections ${BINARY_COMPILE})
  set(objects "")
  foreach(unit IN LISTS unity_units separate_sources)
    get_filename_component(name ${unit} NAME_WE)
    add_custom_command(OUTPUT ${folder}/${name}.o
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${compiler} -std=c++20 ${options} -isystem ${delassus_platform_folder}/include
        -I${PROJECT_SOURCE_DIR} -MD -MF ${folder}/${name}.d -c ${unit} -o ${folder}/${name}.o
      DEPENDS ${unit} delassus_unity DEPFILE ${folder}/${name}.d
      COMMENT "Building ${platform}/${name}.o" VERBATIM)
    list(APPEND objects ${folder}/${name}.o)
  endforeach()
  if(BINARY_WINDOWS)
    # Windows has no patterns of names to export: a list is made from the objects.
    string(REGEX REPLACE "g\\+\\+.*" "nm" nm ${compiler})
    set(exports ${folder}/exports.def)
    add_custom_command(OUTPUT ${exports}
      COMMAND ${CMAKE_COMMAND} -DNM=${nm} "-DOBJECTS=${objects}" -DEXPORTS=${exports} -P ${CMAKE_CURRENT_SOURCE_DIR}/windows_exports.cmake
      DEPENDS ${objects} ${CMAKE_CURRENT_SOURCE_DIR}/windows_exports.cmake VERBATIM)
    list(APPEND objects ${exports})
  else()
    add_custom_command(OUTPUT ${folder}/old_glibc.o
      COMMAND ${compiler} -x c ${options} -fno-builtin -c ${CMAKE_CURRENT_SOURCE_DIR}/old_glibc.c -o ${folder}/old_glibc.o
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/old_glibc.c VERBATIM)
    list(APPEND objects ${folder}/old_glibc.o)
  endif()
  add_custom_command(OUTPUT ${binary}
    COMMAND ${compiler} -shared -s -o ${binary} ${objects} -static-libstdc++ -static-libgcc -Wl,--gc-sections ${BINARY_LINK}
    DEPENDS ${objects} ${CMAKE_CURRENT_SOURCE_DIR}/exports.map COMMENT "Linking the FMU binary for ${platform}" VERBATIM)
  add_custom_target(delassus_fmu_${platform} ALL DEPENDS ${binary})
  add_dependencies(delassus_fmu_${platform} delassus_unity)
  install(PROGRAMS ${binary} DESTINATION ${CMAKE_INSTALL_DATADIR}/delassus/binaries/${platform})
  set_property(GLOBAL APPEND PROPERTY delassus_platforms ${platform})
endfunction()

# The runtime with POSIX threads, which the C++ library wants; linked in whole, so that the DLL needs what every Windows has.
find_program(DELASSUS_WINDOWS_COMPILER NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++ DOC "Cross compiler for 64-bit Windows")
if(DELASSUS_WINDOWS_COMPILER)
  delassus_platform_binary(x86_64-windows ${DELASSUS_WINDOWS_COMPILER} .dll WINDOWS
    COMPILE -D_USE_MATH_DEFINES LINK -static -Wl,--no-insert-timestamp)
endif()
# Eigen would fuse multiplication and addition where the machine can (__ARM_FEATURE_FMA): results would differ from those on x86_64.
find_program(DELASSUS_AARCH64_COMPILER NAMES aarch64-linux-gnu-g++ DOC "Cross compiler for 64-bit ARM")
if(DELASSUS_AARCH64_COMPILER AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  delassus_platform_binary(aarch64-linux ${DELASSUS_AARCH64_COMPILER} .so
    COMPILE -fPIC -fno-semantic-interposition -U__ARM_FEATURE_FMA
    LINK -Wl,--as-needed -Wl,-z,defs -Wl,--exclude-libs,ALL -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
endif()
