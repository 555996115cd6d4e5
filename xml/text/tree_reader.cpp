#include "xml/text/tree_reader.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
#include <vector>

#include "xml/text/libxml.hpp"

namespace delassus {
namespace {

// SAX rather than a DOM: a DOM stores lines in 16 bits, gives an element the line where its start tag ends,
// and reads a DTD before it can be refused.
class TreeBuilder {
 public:
  TreeBuilder(xmlParserCtxt& context, TreeLimits const& limits) : context_(context), limits_(limits) {}

  void start_element(std::string name, std::vector<SourceAttribute> attributes) {
    if (static_cast<int>(open_.size()) >= limits_.depth) {
      refuse(start_tag_line(),
             "elements are nested deeper than " + std::to_string(limits_.depth) + " levels");
    }
    if (++count_ > limits_.elements) {
      refuse(start_tag_line(), "there are more than " + std::to_string(limits_.elements) + " elements");
    }
    SourceElement element{std::move(name), start_tag_line(), std::move(attributes), {}};
    if (open_.empty()) {
      root_ = std::move(element);
      open_.push_back(&root_);
    } else {
      // The pointers of open_ stay valid: a vector of children grows only while none of its elements is open.
      open_.back()->children.push_back(std::move(element));
      open_.push_back(&open_.back()->children.back());
    }
  }

  void end_element() { open_.pop_back(); }

  void text(std::string_view text) {
    auto const first = text.find_first_not_of(" \t\r\n");
    // What follows an error, such as a value without quotation marks, is no text of its own.
    if (limits_.text_allowed || first == std::string_view::npos || error_line_ != 0) return;
    auto const rest = text.substr(first);
    auto const line = current_line() - static_cast<int>(std::count(rest.begin(), rest.end(), '\n'));
    auto const quoted = rest.substr(0, std::min<std::size_t>(rest.find_first_of("\r\n"), 40));
    refuse(line,
           "text \"" + std::string{quoted} +
               "\" stands between elements; values belong into attributes, remarks into <!-- comments -->");
  }

  void document_type() {
    refuse(current_line(), "a DOCTYPE is not allowed, nor are the entities that it could declare; remove it");
  }

  // The first error is the cause, later ones are its consequences.
  void malformed(int line, std::string message) {
    if (error_line_ == 0) {
      error_line_ = std::max(line, 1);
      error_ = std::move(message);
    }
  }

  // Runs the work of a callback. An exception must not cross frames of libxml2: it is kept until the parser
  // has returned.
  template <typename Work>
  void guard(Work work) {
    if (failure_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
      xmlStopParser(&context_);
    }
  }

  SourceElement finish() {
    if (failure_) std::rethrow_exception(failure_);
    if (context_.wellFormed == 0 || error_line_ != 0) {
      std::string const remedy = error_.find("AttValue: \" or ' expected") != std::string::npos
                                     ? "; values of attributes stand in quotation marks, as in name=\"value\""
                                 : error_.find("xmlParseEntityRef: no name") != std::string::npos
                                     ? "; write &amp; for a single &"
                                     : "";
      throw XmlError(std::max(error_line_, 1), "not well-formed XML: " + error_ + remedy);
    }
    return std::move(root_);
  }

 private:
  [[noreturn]] static void refuse(int line, std::string const& message) { throw XmlError(line, message); }

  int current_line() const { return xmlSAX2GetLineNumber(&context_); }

  // The parser stands at the end of the start tag. Going back to its `<` (which no attribute value can
  // contain) counts the lines that the tag takes.
  int start_tag_line() const {
    int line = current_line();
    for (auto const* at = context_.input->cur; at > context_.input->base && *at != '<'; --at) {
      if (*at == '\n') --line;
    }
    return line;
  }

  xmlParserCtxt& context_;
  TreeLimits const& limits_;
  SourceElement root_;
  std::vector<SourceElement*> open_;
  std::size_t count_ = 0;
  std::exception_ptr failure_;
  int error_line_ = 0;
  std::string error_;
};

TreeBuilder& builder(void* context) {
  return *static_cast<TreeBuilder*>(static_cast<xmlParserCtxt*>(context)->_private);
}

std::string qualified(xmlChar const* prefix, xmlChar const* name) {
  return prefix == nullptr ? from_xml(name) : from_xml(prefix) + ":" + from_xml(name);
}

void on_start_element(void* context, xmlChar const* name, xmlChar const* prefix, xmlChar const*, int,
                      xmlChar const**, int attribute_count, int, xmlChar const** attributes) {
  builder(context).guard([&] {
    std::vector<SourceAttribute> list;
    for (int i = 0; i < attribute_count; ++i) {
      auto const* const* const fields = attributes + 5 * i;  // name, prefix, URI, begin and end of the value
      list.push_back(
          {qualified(fields[1], fields[0]),
           std::string{reinterpret_cast<char const*>(fields[3]), reinterpret_cast<char const*>(fields[4])}});
    }
    builder(context).start_element(qualified(prefix, name), std::move(list));
  });
}

void on_end_element(void* context, xmlChar const*, xmlChar const*, xmlChar const*) {
  builder(context).guard([&] { builder(context).end_element(); });
}

void on_text(void* context, xmlChar const* text, int length) {
  builder(context).guard([&] {
    builder(context).text({reinterpret_cast<char const*>(text), static_cast<std::size_t>(length)});
  });
}

void on_document_type(void* context, xmlChar const*, xmlChar const*, xmlChar const*) {
  builder(context).guard([&] { builder(context).document_type(); });
}

// Errors below fatal, such as an undeclared name space, leave the text well-formed. Versions of libxml2
// differ in whether the error is const.
template <typename Error>
void on_error(void* context, Error* error) {
  if (error->level != XML_ERR_FATAL) return;
  builder(context).guard([&] { builder(context).malformed(error->line, message_of(error->message)); });
}

// libxml2 compares each attribute of an element with all before it, which takes minutes where there are 200,000. No language
// that is read here has an element with more than a few dozen. Text that is not well-formed is left to libxml2.
void check_attribute_counts(std::string const& text) {
  constexpr int most_attributes = 1000;
  auto const behind = [&](std::size_t from, std::string_view end) {
    std::size_t const found = text.find(end, from);
    return found == std::string::npos ? text.size() : found + end.size();
  };
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    std::string_view const rest = std::string_view(text).substr(at);
    if (rest.starts_with("<!--")) {
      at = behind(at + 4, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      at = behind(at + 9, "]]>");
    } else if (rest.starts_with("<?")) {
      at = behind(at + 2, "?>");
    } else if (rest.starts_with("<!")) {
      return;  // a DOCTYPE, which is refused
    } else {
      std::size_t const start = at;
      int count = 0;
      for (++at; at < text.size() && text[at] != '>'; ++at) {
        if (text[at] == '<') return;
        if (text[at] != '"' && text[at] != '\'') continue;
        std::size_t const end = text.find(text[at], at + 1);
        if (end == std::string::npos) return;
        if (std::string_view(text).substr(at, end - at).find('<') != std::string_view::npos) return;
        at = end;
        if (++count <= most_attributes) continue;
        auto const line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n');
        throw XmlError(static_cast<int>(line), "an element has more than " + std::to_string(most_attributes) +
                                                   " attributes; no language that is read here has so many");
      }
    }
  }
}

}  // namespace

SourceElement read_tree(std::string const& text, TreeLimits const& limits) {
  if (text.empty()) throw XmlError(1, "the file is empty");
  if (text.size() > limits.bytes) {
    throw XmlError(1, "the file has " + std::to_string(text.size()) + " bytes; at most " +
                          std::to_string(limits.bytes) + " are read");
  }
  check_attribute_counts(text);
  xmlInitParser();  // the first call of the process initialises; libxml2 locks it
  XmlParserContext const context{xmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size()))};
  if (!context) throw std::bad_alloc{};

  xmlSAXHandler handlers{};
  handlers.initialized = XML_SAX2_MAGIC;
  handlers.startElementNs = on_start_element;
  handlers.endElementNs = on_end_element;
  handlers.characters = on_text;
  handlers.cdataBlock = on_text;
  handlers.internalSubset = on_document_type;
  handlers.serror = on_error;
  *context->sax = handlers;
  // NOENT turns `&amp;` into `&`. It cannot expand anything else, because a DOCTYPE ends the parse before it
  // declares an entity.
  xmlCtxtUseOptions(context.get(), XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOWARNING);

  TreeBuilder tree(*context, limits);
  context->_private = &tree;
  xmlParseDocument(context.get());
  return tree.finish();
}

}  // namespace delassus
