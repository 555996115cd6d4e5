#include "tools/check/watched_exchange.hpp"

#include <utility>

namespace delassus {
namespace {

class WatchedFace final : public ModelExchangeFace {
 public:
  WatchedFace(ModelExchangeFace& inner, ExchangeWatch watch) : inner_(inner), watch_(std::move(watch)) {}
  virtual ~WatchedFace() = default;

  void enter_event_mode() override {
    inner_.enter_event_mode();
    watch_.entered_event_mode(time_);
  }
  EventUpdate update_discrete_states() override { return inner_.update_discrete_states(); }
  std::size_t state_count() override { return inner_.state_count(); }
  std::size_t indicator_count() override { return inner_.indicator_count(); }
  void enter_continuous_time_mode() override {
    inner_.enter_continuous_time_mode();
    watch_.entered_continuous_time(inner_, time_);
  }
  void set_time(double time) override {
    time_ = time;
    inner_.set_time(time);
  }
  void set_states(std::span<const double> states) override { inner_.set_states(states); }
  void get_states(std::span<double> states) override { inner_.get_states(states); }
  void get_derivatives(std::span<double> derivatives) override { inner_.get_derivatives(derivatives); }
  void get_indicators(std::span<double> indicators) override { inner_.get_indicators(indicators); }
  void get_nominals(std::span<double> nominals) override { inner_.get_nominals(nominals); }
  IntegratorStepAnswer completed_integrator_step(bool no_rollback) override {
    return inner_.completed_integrator_step(no_rollback);
  }

  void begin(double time) { time_ = time; }

 private:
  ModelExchangeFace& inner_;
  ExchangeWatch watch_;
  double time_ = 0;
};

class WatchedExchange final : public DelegatingInstance {
 public:
  WatchedExchange(std::unique_ptr<SimulatedInstance> instance, ExchangeWatch watch)
      : DelegatingInstance(std::move(instance)) {
    ModelExchangeFace* const face = inner().model_exchange();
    if (face == nullptr) throw InstanceError(Status::error, "the instance was not made for Model Exchange");
    face_ = std::make_unique<WatchedFace>(*face, std::move(watch));
  }

  void enter_initialization(RunSettings const& settings) override {
    face_->begin(settings.start);
    inner().enter_initialization(settings);
  }
  ModelExchangeFace* model_exchange() override { return face_.get(); }

 private:
  std::unique_ptr<WatchedFace> face_;
};

}  // namespace

std::unique_ptr<SimulatedInstance> make_watched_exchange(std::unique_ptr<SimulatedInstance> inner,
                                                         ExchangeWatch watch) {
  return std::make_unique<WatchedExchange>(std::move(inner), std::move(watch));
}

}  // namespace delassus
