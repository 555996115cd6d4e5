// Cones over the plane of a contact, in parallel projection: the set of changes of velocity that friction can cause,
// and where it dips below the plane.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace delassus {

struct PicturedCone {
  std::string name = {};
  Eigen::Matrix3d map = Eigen::Matrix3d::Identity();  // of the classic cone |x_t| = mu x_n
  double mu = 1;
};

struct ConePicture {
  std::string title = {};
  std::vector<std::string> subtitles = {};
  std::vector<PicturedCone> cones = {};
  std::string tangential_1 = {}, tangential_2 = {}, normal = {};     // names of the axes
  std::vector<std::pair<std::string, Eigen::Vector3d>> arrows = {};  // from the tip of the cones
  double azimuth = -0.9, elevation = 0.35;                           // rad, of the eye
};

// Each cone is cut where its longest generator has length one.
std::string write_svg(ConePicture const& picture);
// The rims.
std::string write_csv(ConePicture const& picture);

}  // namespace delassus
