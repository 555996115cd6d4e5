// Our forms of the standards' documents, beside the official schemas: on every document that differs from a good one by one
// change, both refuse or both accept. Where the schemas are not there, their verdicts, recorded in tests/data/documents, stand
// for them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

#include "fmu/content/scene_model.hpp"
#include "tests/xml/broken_documents.hpp"
#include "tools/import/package_description.hpp"
#include "tools/support/share_folder.hpp"
#include "xml/fmi/description_writer.hpp"
#include "xml/fmi/standard_forms.hpp"
#include "xml/fmi/terminals.hpp"
#include "xml/scene/reader.hpp"
#include "xml/ssp/structure_forms.hpp"
#include "xml/text/form_check.hpp"
#include "xml/text/libxml.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;
using test::for_each_broken;

fs::path const documents = fs::path(DELASSUS_OWN_DATA) / "documents";
fs::path const collections = DELASSUS_TEST_DATA;

std::string text_of(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Versions of libxml2 differ in whether the error is const.
template <typename Error>
void ignore_error(void*, Error*) {}

// A schema that is read once and applied many times.
class Schema {
 public:
  explicit Schema(std::string const& text) {
    XmlSchemaParser const parser{xmlSchemaNewMemParserCtxt(text.data(), static_cast<int>(text.size()))};
    schema_.reset(xmlSchemaParse(parser.get()));
    if (!schema_) throw std::runtime_error("the schema cannot be read: " + text);
  }

  bool accepts(std::string const& text) const {
    XmlParserContext const context{xmlNewParserCtxt()};
    XmlDocument const document{xmlCtxtReadMemory(context.get(), text.data(), static_cast<int>(text.size()),
                                                 "document.xml", nullptr,
                                                 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)};
    if (!document) return false;
    XmlSchemaValidator const validator{xmlSchemaNewValidCtxt(schema_.get())};
    xmlSchemaSetValidStructuredErrors(validator.get(), ignore_error, nullptr);
    return xmlSchemaValidateDoc(validator.get(), document.get()) == 0;
  }

 private:
  XmlSchema schema_;
};

struct Kind {
  std::string name;  // of the example
  DocumentForm const& form;
  std::vector<std::string> schemas;  // below the folder of collections; several: each with its own name space
};

void PrintTo(Kind const& kind, std::ostream* stream) {
  *stream << kind.name;
}

std::vector<Kind> kinds() {
  std::string const fmi3 = "fmi-schema/fmi3/fmi3", ssp = "ssp-schema/SystemStructure";
  return {{"fmi2.xml", description_form(2), {"fmi-schema/fmi2/fmi2ModelDescription.xsd"}},
          {"fmi3.xml", description_form(3), {fmi3 + "ModelDescription.xsd"}},
          {"terminals.xml", terminals_form(), {fmi3 + "TerminalsAndIcons.xsd"}},
          {"build.xml", build_description_form(), {fmi3 + "BuildDescription.xsd"}},
          {"structure.ssd",
           structure_form(),
           {ssp + "Description.xsd", ssp + "ParameterValues.xsd", ssp + "ParameterMapping.xsd"}},
          {"values.ssv", parameter_set_form(), {ssp + "ParameterValues.xsd"}},
          {"names.ssm", parameter_mapping_form(), {ssp + "ParameterMapping.xsd"}}};
}

std::string const& space_of(std::string const& schema) {
  static std::map<std::string, std::string> const spaces{
      {"Description.xsd", "SystemStructureDescription"},
      {"ParameterValues.xsd", "SystemStructureParameterValues"},
      {"ParameterMapping.xsd", "SystemStructureParameterMapping"}};
  return spaces.at(schema.substr(schema.rfind("SystemStructure") + std::string("SystemStructure").size()));
}

// None where a file is missing. A schema that only takes in the official ones: with several, what stands inside of others is
// validated, too.
std::unique_ptr<Schema> schema_of(Kind const& kind) {
  std::string text = R"(<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">)";
  for (auto const& each : kind.schemas) {
    auto const file = collections / each;
    if (!fs::exists(file)) return nullptr;
    auto const place = " schemaLocation=\"" + fs::absolute(file).string() + "\"/>";
    text += kind.form.root().space.empty()
                ? "<xs:include" + place
                : "<xs:import namespace=\"http://ssp-standard.org/SSP1/" + space_of(each) + "\"" + place;
  }
  return std::make_unique<Schema>(text + "</xs:schema>");
}

bool accepts(DocumentForm const& form, std::string const& text) {
  return check_form(text, "document.xml", form).empty();
}

std::string hexadecimal(std::vector<bool> const& bits) {
  std::string text;
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    unsigned digit = 0;
    for (std::size_t j = i; j < std::min(i + 4, bits.size()); ++j) digit |= (bits[j] ? 1u : 0u) << (j - i);
    text += "0123456789abcdef"[digit];
  }
  return text;
}

// The schema's verdicts on all broken documents of an example, in lines of `name number verdicts`: a bit is set where it
// accepts.
struct Recorded {
  std::size_t count = 0;
  std::string verdicts;
};

fs::path const record = documents / "verdicts.txt";

std::map<std::string, Recorded> recorded() {
  std::ifstream stream(record);
  std::map<std::string, Recorded> all;
  std::string name;
  for (Recorded one; stream >> name >> one.count >> one.verdicts;) all[name] = one;
  return all;
}

bool bit(Recorded const& one, std::size_t index) {
  auto const digit = one.verdicts.at(index / 4);
  return ((digit <= '9' ? digit - '0' : digit - 'a' + 10) >> (index % 4) & 1) != 0;
}

class Form : public testing::TestWithParam<Kind> {};

TEST_P(Form, AcceptsItsExampleWithEveryElementAndAttribute) {
  for (auto const& finding :
       check_form(text_of(documents / GetParam().name), GetParam().name, GetParam().form))
    ADD_FAILURE() << finding.file << ":" << finding.line << ": " << finding.message << "; " << finding.remedy;
}

TEST_P(Form, AcceptsAndRefusesWhatTheSchemaDidOfEveryBrokenDocument) {
  auto const all = recorded();
  ASSERT_TRUE(all.contains(GetParam().name)) << record;
  auto const& one = all.at(GetParam().name);
  std::size_t index = 0, accepted = 0;
  for_each_broken(text_of(documents / GetParam().name),
                  [&](std::string const& what, std::string const& text) {
                    ASSERT_LT(index, one.count);
                    bool const said = bit(one, index++);
                    accepted += said ? 1 : 0;
                    EXPECT_EQ(accepts(GetParam().form, text), said) << what;
                  });
  EXPECT_EQ(index, one.count);
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, index);
}

// DELASSUS_RECORD=1 writes what the schemas say.
TEST_P(Form, HasTheVerdictsOfTheSchemaOnRecord) {
  auto const schema = schema_of(GetParam());
  if (!schema) GTEST_SKIP() << "the official schemas are not in " << collections;
  auto all = recorded();
  std::vector<bool> verdicts;
  auto const text = text_of(documents / GetParam().name);
  EXPECT_TRUE(schema->accepts(text));
  for_each_broken(text, [&](std::string const&, std::string const& broken) {
    verdicts.push_back(schema->accepts(broken));
  });
  if (std::getenv("DELASSUS_RECORD") != nullptr) {
    all[GetParam().name] = {verdicts.size(), hexadecimal(verdicts)};
    std::ofstream stream(record);
    for (auto const& [name, one] : all) stream << name << " " << one.count << " " << one.verdicts << "\n";
  }
  EXPECT_EQ(all[GetParam().name].count, verdicts.size());
  EXPECT_EQ(all[GetParam().name].verdicts, hexadecimal(verdicts));
}

std::string test_name(testing::TestParamInfo<Kind> const& info) {
  std::string name = info.param.name;
  std::erase(name, '.');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Of, Form, testing::ValuesIn(kinds()), test_name);

// What stands in the packages of every scene: good, and broken in one of some hundred ways each.
void compare(Kind const& kind, Schema const* schema, std::string const& text, std::size_t every,
             std::string const& where) {
  for (auto const& finding : check_form(text, where, kind.form))
    ADD_FAILURE() << where << ":" << finding.line << ": " << finding.message << "; " << finding.remedy;
  if (schema == nullptr) return;
  EXPECT_TRUE(schema->accepts(text)) << where;
  for_each_broken(
      text,
      [&](std::string const& what, std::string const& broken) {
        EXPECT_EQ(accepts(kind.form, broken), schema->accepts(broken)) << where << " " << what;
      },
      every);
}

TEST(FormOfEveryScene, IsThatOfTheSchemas) {
  auto const all = kinds();
  std::vector<std::unique_ptr<Schema>> schemas;
  for (auto const& kind : all) schemas.push_back(schema_of(kind));
  for (auto const& example : examples()) {
    SceneModel const model(read_scene_file(example.file));
    for (int const version : {2, 3}) {
      auto const index = static_cast<std::size_t>(version - 2);
      auto const text = write_model_description(package_description(model, version));
      compare(all[index], schemas[index].get(), text, 1 + text.size() / 3, example.name);
      compare(all[2], schemas[2].get(),
              write_terminals_and_icons(terminals_of(model.scene(), model.table(), version)), 97,
              example.name + " terminals");
    }
  }
}

TEST(FormOfEverySystem, IsThatOfTheSchemas) {
  auto const all = kinds();
  std::size_t count = 0;
  for (auto const& entry :
       fs::recursive_directory_iterator(fs::path(DELASSUS_SCENES_DIR) / "../../tools/systems")) {
    auto const ending = entry.path().extension();
    if (ending != ".ssd" && ending != ".ssv") continue;
    auto const& kind = all[ending == ".ssd" ? 4 : 5];
    compare(kind, schema_of(kind).get(), text_of(entry.path()), 31, entry.path().string());
    ++count;
  }
  EXPECT_GT(count, 4u);
}

TEST(FormCheck, SaysWhatIsWrongAndWhatToWrite) {
  auto const findings = check_form(
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" "
      "guid=\"g\">\n<CoSimulation/>\n<ModelStructure/>\n"
      "<ModelVariables>\n<ScalarVariable name=\"x\" "
      "valueReference=\"-1\"><Real/></ScalarVariable>\n</ModelVariables>\n"
      "<Units/>\n</fmiModelDescription>",
      "m.xml", description_form(2));
  ASSERT_EQ(findings.size(), 5u);
  for (auto const& finding : findings) EXPECT_EQ(finding.rule, "schema");
  EXPECT_EQ(findings[0].line, 2);
  EXPECT_EQ(findings[0].message, "<CoSimulation> has no modelIdentifier");
  EXPECT_EQ(findings[1].line, 3);
  EXPECT_EQ(
      findings[1].message,
      "<ModelStructure> must not stand here in <fmiModelDescription>: the schema has <ModelExchange>, "
      "<CoSimulation>, "
      "<UnitDefinitions>, <TypeDefinitions>, <LogCategories>, <DefaultExperiment>, <VendorAnnotations> or "
      "<ModelVariables> there");
  EXPECT_EQ(findings[2].line, 4);
  EXPECT_EQ(findings[3].message, "<ScalarVariable> has valueReference=\"-1\"");
  EXPECT_EQ(findings[3].remedy, "write a whole number from 0 to 4294967295");
  EXPECT_EQ(findings[4].line, 7);
  auto const missing = check_form("<a/>", "m.xml", terminals_form());
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].message, "the root element is <a>");
}

TEST(FormCheck, RefusesWhatIsNoXmlAndDoctypes) {
  for (std::string const text : {"", "<a>", "text",
                                 "<!DOCTYPE a [<!ENTITY b 'c'>]><fmiTerminalsAndIcons "
                                 "fmiVersion=\"3.0\">&b;</fmiTerminalsAndIcons>"}) {
    auto const findings = check_form(text, "m.xml", terminals_form());
    ASSERT_EQ(findings.size(), 1u) << text;
    EXPECT_GT(findings[0].line, 0);
  }
  // A value so long that a regular expression could take all of the stack.
  auto const text = "<fmiTerminalsAndIcons fmiVersion=\"3.0-" + std::string(1'000'000, 'a') + "\"/>";
  EXPECT_EQ(check_form(text, "m.xml", terminals_form()).size(), 1u);
}

TEST(FormGrammar, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THROW(DocumentForm("root a; a: > b;"), std::logic_error);
  EXPECT_THROW(DocumentForm("root a; a: > (a;"), std::logic_error);
  EXPECT_THROW(DocumentForm("root a; a: x=number;"), std::logic_error);
  EXPECT_THROW(DocumentForm("root a; a: p:x;"), std::logic_error);
}

}  // namespace
}  // namespace delassus
