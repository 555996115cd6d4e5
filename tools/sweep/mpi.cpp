#include "tools/sweep/mpi.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "tools/support/exit_code.hpp"

namespace delassus {
namespace {

enum Tag { tag_number = 1, tag_frame = 2, tag_home = 3 };

// MPI is asked so often, ms; a rank that waits inside of MPI would take a core from its workers.
constexpr int interval = 1;

// As in the pool: short work is handed over ahead, s.
constexpr double short_work = 0.05;

}  // namespace

MpiSite::MpiSite(Mpi& mpi, WorkStation& station, std::size_t workers, std::string const& identity)
    : mpi_(mpi),
      station_(station),
      workers_(std::max<std::size_t>(workers, 1)),
      identity_(identity),
      under_way_(static_cast<std::size_t>(mpi.ranks()), 0) {
  while (greeted_ < under_way_.size()) wait(100);
  begin_ = Clock::now();
}

RanksAtWork::~RanksAtWork() {
  try {
    for (int rank = 1; rank < mpi_.ranks(); ++rank) mpi_.send(rank, tag_home, "");
  } catch (CommandError const&) {
    // mpirun ends those that cannot be reached.
  }
}

std::size_t MpiSite::depth() const {
  double const elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  bool const is_short = finished_ > 0 && elapsed * static_cast<double>(workers_ * under_way_.size()) <
                                             short_work * static_cast<double>(finished_);
  return is_short ? 2 * workers_ : workers_;
}

std::size_t MpiSite::room() const {
  std::size_t room = 0;
  for (auto const each : under_way_) room += depth() - std::min(depth(), each);
  return room;
}

void MpiSite::hand_over(std::size_t number) {
  auto const rank = static_cast<std::size_t>(std::ranges::min_element(under_way_) - under_way_.begin());
  ++under_way_[rank];
  if (rank == 0) {
    station_.hand_over(number);
  } else {
    std::uint64_t const bytes = number;
    mpi_.send(static_cast<int>(rank), tag_number, {reinterpret_cast<char const*>(&bytes), sizeof bytes});
  }
}

void MpiSite::take(int rank, std::size_t number, std::string const& text,
                   std::vector<FinishedWork>& finished) {
  if (number != greeting) {
    --under_way_[static_cast<std::size_t>(rank)];
    ++finished_;
    finished.push_back(read_finished(number, text));
    return;
  }
  if (text.starts_with('-'))
    throw CommandError(ExitCode::run_failed, fmt::format("rank {} cannot work: {}", rank, text.substr(1)));
  if (text.substr(1) != identity_)
    throw CommandError(
        ExitCode::run_failed,
        fmt::format("rank {} has another model or another version of the program than rank 0", rank));
  ++greeted_;
}

std::vector<FinishedWork> MpiSite::wait(int milliseconds) {
  std::vector<FinishedWork> finished;
  std::size_t const greeted = greeted_;
  for (int waited = 0; waited < milliseconds && finished.empty() && greeted == greeted_; waited += interval) {
    for (auto const& [number, text] : station_.wait(interval)) take(0, number, text, finished);
    while (auto message = mpi_.receive()) {
      std::size_t number = 0;
      for (std::string text; take_frame(message->bytes, number, text);)
        take(message->from, number, text, finished);
    }
  }
  return finished;
}

void serve_rank(Mpi& mpi, WorkStation& station) {
  bool lost = false;
  while (true) {
    try {
      if (lost) ::usleep(1000 * interval);
      for (auto const& [number, text] : lost ? std::vector<WorkStation::Frame>() : station.wait(interval)) {
        lost = number == greeting && text.starts_with('-');  // nothing more comes then
        mpi.send(0, tag_frame, make_frame(number, text));
      }
    } catch (CommandError const& error) {
      lost = true;
      mpi.send(0, tag_frame, make_frame(greeting, std::string("-") + error.what()));
    }
    while (auto const message = mpi.receive()) {
      if (message->tag == tag_home) return;
      std::uint64_t number = 0;
      if (message->bytes.size() == sizeof number) {
        std::copy(message->bytes.begin(), message->bytes.end(), reinterpret_cast<char*>(&number));
        station.hand_over(number);
      }
    }
  }
}

}  // namespace delassus
