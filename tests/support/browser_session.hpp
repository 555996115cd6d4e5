// A Chromium without a window, spoken to through two pipes (its DevTools protocol: JSON messages that end in a zero byte), so that a test can open a
// page, ask it things and see its errors.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/report_data.hpp"
#include "tools/support/atomic_file.hpp"

namespace delassus::test {

inline std::string json_string(std::string const& text) {
  return nlohmann::json(text).dump();
}

class BrowserSession {
 public:
  // `profile`: a folder of its own, so that nobody's settings are used or changed.
  BrowserSession(std::string const& browser, std::filesystem::path const& profile,
                 std::vector<std::string> options) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
    std::vector<std::string> arguments{browser,
                                       "--headless",
                                       "--no-sandbox",
                                       "--no-first-run",
                                       "--disable-extensions",
                                       "--remote-debugging-pipe",
                                       "--window-size=1280,1000",
                                       "--user-data-dir=" + profile.string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    std::vector<char*> list;
    for (auto& argument : arguments) list.push_back(argument.data());
    list.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      setpgid(0, 0);  // so that its own children end with it
      int const input = fcntl(to[0], F_DUPFD, 10), output = fcntl(from[1], F_DUPFD, 10);
      dup2(input, 3);
      dup2(output, 4);
      int const nowhere = ::open("/dev/null", O_RDWR);
      for (int const stream : {0, 1, 2}) dup2(nowhere, stream);
      execv(list[0], list.data());
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    write_ = to[1];
    read_ = from[0];
    std::string const target =
        call("Target.createTarget", R"({"url":"about:blank"})").at("targetId").get<std::string>();
    session_ = call("Target.attachToTarget", R"({"flatten":true,"targetId":)" + json_string(target) + "}")
                   .at("sessionId")
                   .get<std::string>();
    for (char const* const domain : {"Runtime.enable", "Log.enable", "Page.enable"}) call(domain, "{}");
  }
  ~BrowserSession() {
    kill(-child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(write_);
    close(read_);
  }
  BrowserSession(BrowserSession const&) = delete;
  BrowserSession& operator=(BrowserSession const&) = delete;

  // Waits until `condition`, a JavaScript expression, holds in the page.
  void open(std::filesystem::path const& page, std::string const& condition) {
    call("Page.navigate", "{\"url\":" + json_string("file://" + page.string()) + "}");
    while (evaluate("String(" + condition + ")") != "true") {
      check_time();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  // The value of an expression, or of the promise that it is, as text.
  std::string evaluate(std::string const& expression) {
    Json const answer =
        call("Runtime.evaluate",
             R"({"awaitPromise":true,"returnByValue":true,"expression":)" + json_string(expression) + "}");
    if (answer.contains("exceptionDetails"))
      throw std::runtime_error(description_of(answer.at("exceptionDetails")));
    Json const& result = answer.at("result");
    if (!result.contains("value")) return "";
    Json const& value = result.at("value");
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  void emulate(std::string const& media_feature, std::string const& value) {
    call("Emulation.setEmulatedMedia", "{\"features\":[{\"name\":" + json_string(media_feature) +
                                           ",\"value\":" + json_string(value) + "}]}");
  }
  void set_size(int width, int height) {
    call("Emulation.setDeviceMetricsOverride", R"({"deviceScaleFactor":1,"mobile":false,"width":)" +
                                                   std::to_string(width) +
                                                   ",\"height\":" + std::to_string(height) + "}");
  }

  // To look at.
  void save_picture(std::filesystem::path const& file) {
    write_file(file, bytes_of_base64(call("Page.captureScreenshot", "{}").at("data").get<std::string>()));
  }

  // What the page logged as an error, and exceptions that nobody caught.
  std::vector<std::string> const& errors() const { return errors_; }

 private:
  Json call(std::string const& method, std::string const& parameters) {
    int const id = ++last_;
    std::string message =
        "{\"id\":" + std::to_string(id) + ",\"method\":\"" + method + "\",\"params\":" + parameters;
    if (!session_.empty()) message += ",\"sessionId\":" + json_string(session_);
    message += "}";
    message += '\0';
    for (std::size_t sent = 0; sent < message.size();) {
      auto const count = ::write(write_, message.data() + sent, message.size() - sent);
      if (count <= 0) throw std::runtime_error("the browser has gone");
      sent += static_cast<std::size_t>(count);
    }
    while (true) {
      Json const answer = Json::parse(next_message());
      if (answer.value("id", 0) == id) {
        if (answer.contains("error"))
          throw std::runtime_error(method + ": " + answer.at("error").at("message").get<std::string>());
        return answer.at("result");
      }
      note(answer);
    }
  }

  void note(Json const& event) {
    std::string const method = event.value("method", "");
    if (method == "Runtime.exceptionThrown")
      errors_.push_back(description_of(event.at("params").at("exceptionDetails")));
    if (method == "Runtime.consoleAPICalled" && event.at("params").at("type") == "error")
      errors_.push_back("console.error");
    if (method != "Log.entryAdded") return;
    Json const& entry = event.at("params").at("entry");
    if (entry.at("level") == "error") errors_.push_back(entry.at("text").get<std::string>());
  }

  static std::string description_of(Json const& exception_details) {
    std::string const unknown = "an exception";
    if (!exception_details.contains("exception")) return unknown;
    return exception_details.at("exception").value("description", unknown);
  }

  std::string next_message() {
    while (true) {
      if (auto const end = received_.find('\0'); end != std::string::npos) {
        std::string const message = received_.substr(0, end);
        received_.erase(0, end + 1);
        return message;
      }
      check_time();
      pollfd waiting{read_, POLLIN, 0};
      if (poll(&waiting, 1, 1000) <= 0) continue;
      char buffer[1 << 16];
      auto const count = ::read(read_, buffer, sizeof buffer);
      if (count <= 0) throw std::runtime_error("the browser has gone");
      received_.append(buffer, static_cast<std::size_t>(count));
    }
  }

  void check_time() const {
    // No measure of speed: what hangs shall not hang for ever.
    if (std::chrono::steady_clock::now() - start_ > std::chrono::minutes(4))
      throw std::runtime_error("the browser does not answer");
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  pid_t child_ = -1;
  int write_ = -1, read_ = -1, last_ = 0;
  std::string session_, received_;
  std::vector<std::string> errors_;
};

}  // namespace delassus::test
