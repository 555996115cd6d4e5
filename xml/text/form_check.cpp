#include "xml/text/form_check.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <set>

#include "model/language/vocabulary.hpp"
#include "xml/text/libxml.hpp"
#include "xml/text/schema_value.hpp"

namespace delassus {
namespace {

constexpr std::string_view instance_space = "http://www.w3.org/2001/XMLSchema-instance";

struct WrittenAttribute {
  FormName name;
  std::string shown;  // as it is written
  std::string value;
};

class FormChecker {
 public:
  FormChecker(xmlParserCtxt& context, std::string file, DocumentForm const& form)
      : context_(context), file_(std::move(file)), form_(form) {}

  void start(FormName const& name, std::vector<WrittenAttribute> const& attributes) {
    int const line = start_tag_line();
    int const type = open_.empty() ? root(name, line) : child(open_.back(), name, line);
    if (type >= 0) check_attributes(name.local, form_.type(type), attributes, line);
    open_.push_back({name.local, type, FormContent::beginning, line, false});
  }

  void end() {
    Open const& element = open_.back();
    if (element.type >= 0 && !element.broken && !content(element).may_end(element.state)) {
      auto const missing = names_of(content(element).expected(element.state), "");
      report(element.line, "<" + element.name + "> ends where the schema demands " + missing,
             "add " + missing + ", in the order of the schema");
    }
    open_.pop_back();
  }

  void text(std::string_view text) {
    if (open_.empty() || open_.back().type < 0) return;
    Open& element = open_.back();
    FormType const& type = form_.type(element.type);
    bool const blank = trimmed(text).empty();
    if (type.text || element.told_text || (blank && !type.content.is_empty())) return;
    element.told_text = true;
    report(element.line, "<" + element.name + "> has " + (blank ? "blanks" : "text") + " inside",
           type.content.is_empty() ? "write <" + element.name + " .../>: the schema has it empty"
                                   : "put it into a comment or into <Annotations>, or remove it");
  }

  void malformed(int line, std::string const& message) {
    if (malformed_) return;
    malformed_ = true;
    findings_.clear();
    report(std::max(line, 1), message, "write well-formed XML without a DOCTYPE");
  }

  void document_type() {
    malformed(xmlSAX2GetLineNumber(&context_), "a DOCTYPE is not allowed");
    xmlStopParser(&context_);
  }

  // An exception must not cross frames of libxml2.
  template <typename Work>
  void guard(Work work) {
    if (failure_ || malformed_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
      xmlStopParser(&context_);
    }
  }

  std::vector<Finding> take() {
    if (failure_) std::rethrow_exception(failure_);
    if (context_.wellFormed == 0 && !malformed_) malformed(1, "the text is not well-formed XML");
    return std::move(findings_);
  }

 private:
  struct Open {
    std::string name;
    int type = -1;  // -1: nothing is known of it, and all is allowed inside
    FormContent::State state = FormContent::beginning;
    int line = 0;
    bool broken = false;  // a child stands where it must not: that its end is missing follows from that
    bool told_text = false;
  };

  FormContent const& content(Open const& element) const { return form_.type(element.type).content; }

  int root(FormName const& name, int line) {
    int const type = form_.root_type(name);
    if (type < 0)
      report(line, "the root element is <" + shown(name) + ">",
             "write <" + form_.shown(form_.root()) + ">, in its name space");
    return type;
  }

  // The type of the child, and the parent's state after it.
  int child(Open& parent, FormName const& name, int line) {
    if (parent.type < 0) return form_.root_type(name);
    auto const& rules = content(parent);
    auto const next = rules.after(parent.state, name);
    auto const anywhere = next != 0 ? next : rules.places_of(name);
    if (next == 0) {
      auto const expected = rules.expected(parent.state);
      bool const ends = rules.may_end(parent.state);
      report(line,
             "<" + shown(name) + "> must not stand here in <" + parent.name + ">: the schema has " +
                 (expected.empty() ? "nothing more" : names_of(expected, ends ? "the end" : "")) + " there",
             anywhere == 0 ? remedy_for(name, expected)
                           : "write the elements in the order and number that the schema demands");
      parent.broken = true;
    }
    if (anywhere == 0) return -1;
    parent.state = anywhere;
    auto const& place = rules.place(anywhere);
    return place.wildcard ? form_.root_type(name) : place.type;
  }

  std::string remedy_for(FormName const& name, std::vector<FormContent::Place> const& expected) const {
    std::vector<std::string_view> known;
    for (auto const& place : expected) known.push_back(place.name.local);
    if (std::ranges::find(known, std::string_view{name.local}) != known.end())
      return "declare the name space of the standard for it";
    auto const near = did_you_mean(name.local, known);
    return near ? "write <" + std::string{*near} + ">" : "remove it";
  }

  void check_attributes(std::string const& element, FormType const& type,
                        std::vector<WrittenAttribute> const& attributes, int line) {
    auto const who = "<" + element + "> ";
    for (auto const& known : type.attributes) {
      if (!known.required ||
          std::ranges::find(attributes, known.name, &WrittenAttribute::name) != attributes.end())
        continue;
      report(line, who + "has no " + form_.shown(known.name), "add the attribute " + form_.shown(known.name));
    }
    for (auto const& [name, written, value] : attributes) {
      auto const known = std::ranges::find(type.attributes, name, &FormAttribute::name);
      if (known == type.attributes.end()) {
        bool const of_instance = name.space == instance_space;
        if (!type.any_attribute && !of_instance)
          report(line, who + "has the attribute " + written, "remove it: the schema does not have it there");
      } else if (!known->value.holds(value)) {
        report(line, who + "has " + written + "=\"" + value + "\"", "write " + known->value.meaning);
      } else if (known->value.identity && !identities_.insert(value).second) {
        report(line, who + "has " + written + "=\"" + value + "\", as another element",
               "write " + known->value.meaning);
      }
    }
  }

  static std::string names_of(std::vector<FormContent::Place> const& places, std::string const& other) {
    std::vector<std::string> words;
    for (auto const& place : places)
      words.push_back(place.wildcard ? std::string("any element") : "<" + place.name.local + ">");
    if (!other.empty()) words.push_back(other);
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
      text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
  }

  std::string shown(FormName const& name) const { return form_.shown(name); }

  void report(int line, std::string message, std::string remedy) {
    findings_.push_back({"schema", Severity::error, file_, line, std::move(message), std::move(remedy)});
  }

  // As in tree_reader.cpp: the parser stands at the end of the tag.
  int start_tag_line() const {
    int line = xmlSAX2GetLineNumber(&context_);
    for (auto const* at = context_.input->cur; at > context_.input->base && *at != '<'; --at) {
      if (*at == '\n') --line;
    }
    return line;
  }

  xmlParserCtxt& context_;
  std::string file_;
  DocumentForm const& form_;
  std::vector<Open> open_;
  std::set<std::string> identities_;
  std::vector<Finding> findings_;
  bool malformed_ = false;
  std::exception_ptr failure_;
};

FormChecker& form_checker(void* context) {
  return *static_cast<FormChecker*>(static_cast<xmlParserCtxt*>(context)->_private);
}

// An undeclared prefix leaves the name without a name space, and with the prefix as a part of it.
FormName form_name(xmlChar const* local, xmlChar const* prefix, xmlChar const* space) {
  if (space != nullptr || prefix == nullptr) return {from_xml(space), from_xml(local)};
  return {"", from_xml(prefix) + ":" + from_xml(local)};
}

void start_form_element(void* context, xmlChar const* name, xmlChar const* prefix, xmlChar const* space, int,
                        xmlChar const**, int attribute_count, int, xmlChar const** attributes) {
  form_checker(context).guard([&] {
    std::vector<WrittenAttribute> list;
    for (int i = 0; i < attribute_count; ++i) {
      auto const* const* const fields =
          attributes + 5 * i;  // name, prefix, space, begin and end of the value
      list.push_back(
          {form_name(fields[0], fields[1], fields[2]),
           (fields[1] == nullptr ? "" : from_xml(fields[1]) + ":") + from_xml(fields[0]),
           std::string{reinterpret_cast<char const*>(fields[3]), reinterpret_cast<char const*>(fields[4])}});
    }
    form_checker(context).start(form_name(name, prefix, space), list);
  });
}

void end_form_element(void* context, xmlChar const*, xmlChar const*, xmlChar const*) {
  form_checker(context).guard([&] { form_checker(context).end(); });
}

void form_text(void* context, xmlChar const* text, int length) {
  form_checker(context).guard([&] {
    form_checker(context).text({reinterpret_cast<char const*>(text), static_cast<std::size_t>(length)});
  });
}

void form_document_type(void* context, xmlChar const*, xmlChar const*, xmlChar const*) {
  form_checker(context).guard([&] { form_checker(context).document_type(); });
}

// Versions of libxml2 differ in whether the error is const.
template <typename Error>
void form_error(void* context, Error* error) {
  if (error->level != XML_ERR_FATAL) return;
  form_checker(context).guard(
      [&] { form_checker(context).malformed(error->line, message_of(error->message)); });
}

}  // namespace

std::vector<Finding> check_form(std::string const& text, std::string const& file, DocumentForm const& form) {
  xmlInitParser();
  XmlParserContext const context{xmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size()))};
  if (!context) {
    if (text.empty()) return {{"schema", Severity::error, file, 1, "the file is empty", "write a document"}};
    throw std::bad_alloc{};
  }
  xmlSAXHandler handlers{};
  handlers.initialized = XML_SAX2_MAGIC;
  handlers.startElementNs = start_form_element;
  handlers.endElementNs = end_form_element;
  handlers.characters = form_text;
  handlers.ignorableWhitespace = form_text;
  handlers.cdataBlock = form_text;
  handlers.internalSubset = form_document_type;
  handlers.serror = form_error;
  *context->sax = handlers;
  // As in tree_reader.cpp: a DOCTYPE ends the parse before it declares an entity.
  xmlCtxtUseOptions(context.get(), XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOWARNING);
  FormChecker checker(*context, file, form);
  context->_private = &checker;
  xmlParseDocument(context.get());
  return checker.take();
}

void add_form_findings(std::vector<Finding>& findings, std::vector<Finding> const& of_form) {
  std::set<std::pair<std::string, int>> known;
  for (auto const& finding : findings) {
    if (finding.severity == Severity::error) known.emplace(finding.file, finding.line);
  }
  for (auto const& finding : of_form) {
    if (!known.contains({finding.file, finding.line})) findings.push_back(finding);
  }
}

}  // namespace delassus
