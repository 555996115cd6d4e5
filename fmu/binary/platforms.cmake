# The FMU's binary for other platforms, if a cross compiler for them is installed. It is built with everything else and put
# beside the one for this machine; `delassus build` packs all of them.
#   delassus_platform_binary(<platform in FMI 3's words> <compiler> <extension> COMPILE <options> LINK <options>)
# The sources are those of the rooms, with headers precompiled once for each platform. Eigen, Boost and cereal have only headers.
# They are reached through links in a separate folder, because /usr/include has the C library of this machine.
set(delassus_binary_recipes ${CMAKE_CURRENT_LIST_DIR})
set(delassus_platform_folder ${PROJECT_BINARY_DIR}/platforms)

set(room_sources "")
foreach(target delassus_model delassus_solver delassus_fmu delassus_fmu_binary)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(TRANSFORM sources PREPEND ${folder}/)
  list(APPEND room_sources ${sources})
endforeach()
# Only the tools compile scenes. If the FMU comes to need one of these sources, the linker reports it.
list(FILTER room_sources EXCLUDE REGEX "/model/(language/scene_compiler|control/controller_compiler|scene/unit)[a-z_]*\\.cpp$")
# First of all, because it changes what Eigen computes with on ARM; empty elsewhere.
set(precompiled_text "#include \"model/numbers/unfused_neon.hpp\"\n")
file(SHA256 ${PROJECT_SOURCE_DIR}/model/numbers/unfused_neon.hpp delassus_unfused_hash)
get_target_property(delassus_definitions delassus_model INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM delassus_definitions PREPEND -D)
foreach(header IN LISTS delassus_precompile)
  string(APPEND precompiled_text "#include ${header}\n")
endforeach()

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
  # ccache identifies a precompiled header by the file beside it.
  set(headers ${folder}/precompiled.hpp)
  file(CONFIGURE OUTPUT ${headers} CONTENT "${precompiled_text}")
  file(CONFIGURE OUTPUT ${headers}.gch.sum
    CONTENT "${platform} ${compiler} ${BINARY_COMPILE} ${delassus_definitions} ${Eigen3_VERSION} ${delassus_unfused_hash}\n")
  set(launcher "")
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  set(options -O2 -DNDEBUG ${delassus_definitions} -ffp-contract=off -ffunction-sections -fdata-sections ${BINARY_COMPILE})
  set(compile ${compiler} -std=c++20 ${options} -isystem ${delassus_platform_folder}/include -I${PROJECT_SOURCE_DIR})
  add_custom_command(OUTPUT ${headers}.gch COMMAND ${compile} -x c++-header ${headers} -o ${headers}.gch DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/model/numbers/unfused_neon.hpp
    COMMENT "Precompiling headers for ${platform}" VERBATIM)
  set(objects "")
  foreach(source IN LISTS room_sources)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "/" "-" name ${name})
    string(REGEX REPLACE "\\.cpp$" "" name ${name})
    add_custom_command(OUTPUT ${folder}/${name}.o
      COMMAND ${launcher} ${compile} -fpch-preprocess -include ${headers} -MD -MF ${folder}/${name}.d -c ${source} -o ${folder}/${name}.o
      DEPENDS ${source} ${headers}.gch DEPFILE ${folder}/${name}.d
      COMMENT "Building ${platform}/${name}.o" VERBATIM)
    list(APPEND objects ${folder}/${name}.o)
  endforeach()
  if(BINARY_WINDOWS)
    # Windows cannot export names by pattern: a list is made from the objects.
    string(REGEX REPLACE "g\\+\\+.*" "nm" nm ${compiler})
    set(exports ${folder}/exports.def)
    add_custom_command(OUTPUT ${exports}
      COMMAND ${CMAKE_COMMAND} -DNM=${nm} "-DOBJECTS=${objects}" -DEXPORTS=${exports} -P ${delassus_binary_recipes}/windows_exports.cmake
      DEPENDS ${objects} ${delassus_binary_recipes}/windows_exports.cmake VERBATIM)
    list(APPEND objects ${exports})
  else()
    add_custom_command(OUTPUT ${folder}/old_glibc.o
      COMMAND ${compiler} -x c ${options} -fno-builtin -c ${delassus_binary_recipes}/old_glibc.c -o ${folder}/old_glibc.o
      DEPENDS ${delassus_binary_recipes}/old_glibc.c VERBATIM)
    list(APPEND objects ${folder}/old_glibc.o)
  endif()
  add_custom_command(OUTPUT ${binary}
    COMMAND ${compiler} -shared -s -o ${binary} ${objects} -static-libstdc++ -static-libgcc -Wl,--gc-sections ${BINARY_LINK}
    DEPENDS ${objects} ${delassus_binary_recipes}/exports.map COMMENT "Linking the FMU binary for ${platform}" VERBATIM)
  add_custom_target(delassus_fmu_${platform} ALL DEPENDS ${binary})
  install(PROGRAMS ${binary} DESTINATION ${CMAKE_INSTALL_DATADIR}/delassus/binaries/${platform})
  set_property(GLOBAL APPEND PROPERTY delassus_platforms ${platform})
endfunction()

# The runtime with POSIX threads, which the C++ library requires. It is linked statically, so that the DLL needs only what every Windows has.
find_program(DELASSUS_WINDOWS_COMPILER NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++ DOC "Cross compiler for 64-bit Windows")
if(DELASSUS_WINDOWS_COMPILER)
  delassus_platform_binary(x86_64-windows ${DELASSUS_WINDOWS_COMPILER} .dll WINDOWS
    COMPILE -D_USE_MATH_DEFINES LINK -static -Wl,--no-insert-timestamp)
endif()
find_program(DELASSUS_AARCH64_COMPILER NAMES aarch64-linux-gnu-g++ DOC "Cross compiler for 64-bit ARM")
if(DELASSUS_AARCH64_COMPILER AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  delassus_platform_binary(aarch64-linux ${DELASSUS_AARCH64_COMPILER} .so
    COMPILE -fPIC -fno-semantic-interposition
    LINK -Wl,--as-needed -Wl,-z,defs -Wl,--exclude-libs,ALL -Wl,--version-script=${delassus_binary_recipes}/exports.map)
endif()
