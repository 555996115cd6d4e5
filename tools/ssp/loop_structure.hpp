// A loop in one line: components and connections as a user names them on the command line, and the system structure
// that says the same.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/cosim/coupled_system.hpp"
#include "tools/import/backend.hpp"
#include "tools/import/signal_table.hpp"
#include "tools/package/runnable_model.hpp"

namespace delassus {

// What a structure says of its run.
struct LoopRun {
  std::optional<double> start, stop;                             // s
  std::map<std::string, std::string> settings = {};              // of our annotation
  std::vector<std::pair<std::size_t, SignalValue>> values = {};  // component, value: before the run
};

class LoopStructure {
 public:
  // `models`: files or examples, `plant.xml` or `left=plant.xml`; the name of a component is otherwise that of its file.
  // `connections`: `plant.block.position:controller.measurement`, in either direction; an array by its name connects
  // all its elements. Throws CommandError, which names the option and says what to write, and what reading throws.
  LoopStructure(std::vector<std::string> const& models, std::vector<std::string> const& connections,
                ImportBackend backend);

  // All that is read, for those who write.
  std::vector<std::filesystem::path> files() const;
  // Plain numbers that go into quantities, and the like.
  std::vector<std::string> const& notes() const { return notes_; }

  // Of an .ssd that lies in `folder`, for a system of this name.
  std::string text(std::string const& name, std::filesystem::path const& folder, LoopRun const& run) const {
    return write(name, folder, run, nullptr);
  }

  // Ready to run, as an .ssd in the current folder would be. `warnings`: what it does, but hardly is meant to do.
  CosimSystem system(ImportBackend backend, std::vector<std::string>* warnings = nullptr) const;

 private:
  struct Component {
    std::string name, argument;
    std::filesystem::path file;
    bool is_example = false;
    std::string type;  // of its source; empty for an FMU
    std::shared_ptr<RunnableModel> model;
    SignalTable signals;
    struct Connector {
      std::string name, kind, type;
    };
    std::vector<Connector> connectors = {};
  };
  struct End {
    std::size_t component = 0;
    std::string name;
    std::vector<std::size_t> signals;
  };
  struct Connection {
    std::size_t from = 0, to = 0;  // components
    std::string from_name, to_name;
    bool as_it_is = false;  // without a conversion of units
    std::string option;     // that asked for it
  };

  // `lines`: those of the connections.
  std::string write(std::string const& name, std::filesystem::path const& folder, LoopRun const& run,
                    std::vector<int>* lines) const;
  std::string write_component(std::size_t index, std::filesystem::path const& folder,
                              LoopRun const& run) const;
  void add_component(std::string const& argument, ImportBackend backend);
  void add_connection(std::string const& text);
  End find_end(std::string_view text) const;
  std::pair<End, End> find_ends(std::string const& text) const;
  void demand_direction(End& from, End& to) const;
  bool units_fit(End const& from, End const& to);
  void connect(End const& from, std::string const& from_name, End const& to, std::string const& to_name,
               bool as_it_is, std::string const& option);
  std::string full_name(End const& end) const { return components_[end.component].name + "." + end.name; }
  std::string offered(std::size_t component, bool inputs) const;
  std::string component_names() const;

  std::vector<Component> components_;
  std::vector<Connection> connections_;
  std::map<std::pair<std::size_t, std::size_t>, std::string> sources_;  // of each connected input: its output
  std::vector<std::string> notes_;
};

}  // namespace delassus
