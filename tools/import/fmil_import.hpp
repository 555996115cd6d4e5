// FMI Library (FMIL) as a second way into an FMU: it loads the library, and every call goes through it. All else is that
// of our own loader, so that both give the same bits.
//
// FMIL is in no package registry. Where CMake finds an installed one (-DFMIL_ROOT=/where/it/is, or CMAKE_PREFIX_PATH),
// fmil_import.cpp is built; elsewhere fmil_import_missing.cpp says so.
#pragma once

#include <filesystem>

#include "tools/import/fmi2_import.hpp"
#include "tools/import/fmi3_import.hpp"

namespace delassus {

bool has_fmil();

// Throws CommandError, which says how to get FMIL, where this program was built without it.
void require_fmil();

// `folder`: of the unpacked FMU. Several instances of one FMU are as many loads in FMIL, which changes the working
// directory while it loads: not beside other threads.
Fmi2Access fmi2_through_fmil(std::filesystem::path const& folder);
Fmi3Access fmi3_through_fmil(std::filesystem::path const& folder);

}  // namespace delassus
