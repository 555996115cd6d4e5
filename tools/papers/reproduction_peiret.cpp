// A. Peiret, J. Kovecses, J. M. Font-Llagunes: Analysis of friction coupling and the Painleve paradox in multibody
// systems (2019): the rod (Figs. 2-4) and the articulated arm (Figs. 5, 6, (45)-(49)).
#include "tools/papers/reproduction_parts.hpp"

namespace delassus {

ReproducedPaper reproduce_peiret(ReproductionRun& run) {
  ReproducedPaper paper;
  paper.key = "peiret";
  paper.title = "Peiret, Kovecses and Font-Llagunes 2019: where it goes wrong";
  paper.citation =
      "A. Peiret, J. K\u00f6vecses, J. M. Font-Llagunes, Analysis of Friction Coupling and the Painlev\u00e9 "
      "Paradox in Multibody Systems (2019)";
  paper.misprints = {
      "(42): M\u2081\u2083, M\u2082\u2083 and M\u2083\u2083 miss one power of L\u2083: "
      "\u03c1L\u2081L\u2083\u00b2/2 cos(\u03b8\u2081 \u2212 \u03b8\u2083), \u03c1L\u2082L\u2083\u00b2/2 "
      "cos(\u03b8\u2082 \u2212 \u03b8\u2083), \u03c1L\u2083\u00b3/3.",
      "(46)\u2013(49) need \u03c1 = 1 kg/m (the caption of Fig. 5 says 2) and leave out the terms of c with "
      "\u03c6\u0307.",
      "(48): the second component of the free part is +1.262."};
  paper.items = reproduce_peiret_rod(run);
  for (auto& item : reproduce_peiret_arm(run)) paper.items.push_back(std::move(item));
  return paper;
}

}  // namespace delassus
