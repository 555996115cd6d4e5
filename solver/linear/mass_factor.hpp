// M = L L^T of every mass block, factorised anew at every instant because inertia turns with its body.
//
// Most mass blocks have a known form, and its solves are a few multiplications: diagonal (points, bodies in
// the plane), or diagonal in the first three and full in the last three (rigid bodies, about their centre of
// mass in the world's axes). The form is found from the zeros.
#pragma once

#include <span>
#include <vector>

#include "model/equations/system.hpp"

namespace delassus {

class MassFactor {
 public:
  explicit MassFactor(std::span<const MassBlock> masses);

  // NaN where M is not positive definite: the motion is then not finite, and the stepper says so.
  void factorise(std::span<const MassBlock> masses);

  // x = L^-1 x and x = L^-T x of one mass block.
  void forward(std::size_t mass, double* x) const;
  void backward(std::size_t mass, double* x) const;

  // W = L^-1 J^T, columns x rows, from J, rows x columns; both column by column.
  void weight(std::size_t mass, double const* J, int rows, double* W) const;

 private:
  enum class Form { diagonal, rigid, full };
  struct Block {
    Form form = Form::full;
    int size = 0;
    std::size_t first = 0;  // in numbers_
  };
  // L column by column, of a diagonal one only that; of a rigid body's the inverse of the diagonal in its place.
  std::vector<Block> blocks_;
  std::vector<double> numbers_;
};

}  // namespace delassus
