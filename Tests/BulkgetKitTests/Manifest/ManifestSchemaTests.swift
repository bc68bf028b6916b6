import BulkgetKit
import Testing

/// The schema and the reader must say the same about everything that a schema can express.
@Suite struct ManifestSchemaTests {
  private func schemaAccepts(_ json: String) throws -> Bool {
    try #require(try SchemaValidator(ManifestSchema.text)).accepts(json)
  }

  private func entry(_ keys: String) -> String {
    let hasURL = keys.contains("\"url\"") || keys.contains("\"urls\"")
    let hasID = keys.contains("\"id\"")
    let parts = [hasID ? "" : "\"id\": \"a\"", hasURL ? "" : "\"url\": \"u\"", keys].filter {
      !$0.isEmpty
    }
    return "{\"files\": [{\(parts.joined(separator: ", "))}]}"
  }

  @Test(arguments: [
    "\"files\": []", "\"files\": [], \"version\": 1", "\"files\": [], \"version\": \"1\"",
    "\"files\": [], \"version\": 2", "\"version\": 1",
    "\"files\": null", "\"files\": {}", "\"files\": [], \"namespace\": \"a-b\"",
    "\"files\": [], \"namespace\": \"A\"", "\"files\": [], \"namespace\": \"\"",
    "\"files\": [], \"namespace\": null", "\"files\": [], \"variables\": null",
    "\"files\": [], \"variables\": {\"a\": 1, \"b.c-d\": true, \"_\": \"\"}",
    "\"files\": [], \"variables\": {\"1a\": 1}", "\"files\": [], \"variables\": {\"a\": null}",
    "\"files\": [], \"variables\": {\"a\": []}", "\"files\": [], \"variables\": []",
    "\"files\": [], \"$schema\": \"x\"", "\"files\": [], \"x-y\": {\"z\": [1]}",
    "\"files\": [], \"include\": []", "\"files\": [], \"other\": 1", "\"files\": [1]",
    "\"files\": [null]",
    "\"files\": [], \"defaults\": null",
    "\"files\": [], \"defaults\": {\"type\": \"zip\", \"x-a\": 1}",
    "\"files\": [], \"defaults\": {\"url\": \"x\"}",
    "\"files\": [], \"defaults\": {\"dest\": \"x\"}", "\"files\": [], \"defaults\": {\"size\": 1}",
    "\"files\": [], \"defaults\": {\"headers\": {\"A\": \"b\"}, \"tags\": [\"t\"], \"priority\": 1}",
    "\"files\": [], \"hosts\": {\"h\": null}",
    "\"files\": [], \"hosts\": {\"h\": {\"connections\": 8, \"allow-http\": true, \"x-a\": 1}}",
    "\"files\": [], \"hosts\": {\"h\": {\"connections\": 0}}",
    "\"files\": [], \"hosts\": {\"h\": {\"connections\": 1025}}",
    "\"files\": [], \"hosts\": {\"h\": {\"other\": 1}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"bearer\": \"t\"}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"user\": \"u\", \"password\": \"p\"}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"password\": \"p\"}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"bearer\": \"t\", \"user\": \"u\"}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"header\": {\"A\": \"b\"}}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"header\": {\"A\": \"b\", \"C\": \"d\"}}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": null}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"bearer\": \"t\", \"allow-http\": false}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"allow-http\": null}}", "\"files\": [], \"hosts\": []",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"header\": {\"Range\": \"b\"}}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"header\": {}}}}",
    "\"files\": [], \"hosts\": {\"h\": {\"connections\": \"8\"}}",
    "\"files\": [], \"hosts\": {\"h\": {\"auth\": {\"bearer\": \"t\", \"password\": \"p\"}}}",
  ])
  func theTopLevelIsTheSameToBoth(keys: String) throws {
    let json = "{" + keys + "}"
    #expect(try schemaAccepts(json) == problems(json).isEmpty, "\(problems(json))")
  }

  @Test(arguments: [
    "\"id\": 1", "\"id\": true", "\"id\": \"\"", "\"id\": null", "\"id\": []",
    "\"id\": \"a\\u0001\"", "\"id\": \"a\\u009f\"", "\"url\": \"\"", "\"url\": []", "\"url\": null",
    "\"urls\": [\"a\", \"b\"]", "\"urls\": []", "\"urls\": \"a\"", "\"urls\": null",
    "\"url\": \"a\", \"urls\": [\"b\"]", "\"type\": \"Tar.GZ\"", "\"type\": \".zip\"",
    "\"type\": \"a/b\"", "\"type\": null",
    "\"type\": 7", "\"type\": \"${x}\", \"x-y\": 1", "\"size\": 0", "\"size\": 734003200",
    "\"size\": \"12\"", "\"size\": -1", "\"size\": 1.5", "\"size\": \"012\"", "\"size\": null",
    "\"size\": \"\"",
    "\"sha256\": \"\(String(repeating: "aB", count: 32))\"", "\"sha256\": \"abc\"",
    "\"sha256\": null", "\"md5\": \"\(String(repeating: "0", count: 32))\"",
    "\"md5\": \"\(String(repeating: "0", count: 33))\"",
    "\"sha1\": \"\(String(repeating: "f", count: 40))\"",
    "\"sha384\": \"\(String(repeating: "f", count: 96))\"",
    "\"sha512\": \"\(String(repeating: "f", count: 128))\"",
    "\"sha512\": \"\(String(repeating: "g", count: 128))\"",
    "\"integrity\": \"sha1-qUqP5cyxm6YcTAhz05Hph5gvu9M=\"", "\"integrity\": \"\"",
    "\"integrity\": null", "\"dest\": \"a/b\"", "\"dest\": \"/a\"", "\"dest\": \"../a\"",
    "\"dest\": \"a/..\"", "\"dest\": \"a..b\"",
    "\"dest\": \"\"", "\"dest\": \".\"", "\"dest\": \"./\"", "\"dest\": 1", "\"dest\": null",
    "\"executable\": true", "\"executable\": \"false\"", "\"executable\": \"yes\"",
    "\"executable\": 1", "\"executable\": null",
    "\"optional\": false", "\"optional\": \"True\"", "\"freshness\": \"immutable\"",
    "\"freshness\": \"7d\"", "\"freshness\": \"7w\"", "\"freshness\": 7", "\"freshness\": null",
    "\"headers\": {\"A-b\": \"c\"}",
    "\"headers\": {\"A b\": \"c\"}", "\"headers\": {\"\": \"c\"}",
    "\"headers\": {\"rAnGe\": \"c\"}", "\"headers\": {\"If-None-Match\": \"c\"}",
    "\"headers\": {\"hostess\": \"c\"}", "\"headers\": {\"A\": null}",
    "\"headers\": {\"A\": []}", "\"headers\": {\"A\": 1}", "\"headers\": null", "\"headers\": []",
    "\"tags\": [\"a\", 1, true]", "\"tags\": [\"\"]", "\"tags\": \"a\"", "\"tags\": []",
    "\"tags\": null", "\"tags\": [null]",
    "\"platforms\": [\"linux/amd64\"]", "\"platforms\": [\"linux\"]", "\"platforms\": []",
    "\"platforms\": null", "\"platforms\": \"linux/amd64\"", "\"priority\": 5", "\"priority\": -5",
    "\"priority\": \"-5\"",
    "\"priority\": 1000001", "\"priority\": 1.5", "\"priority\": \"high\"", "\"priority\": null",
    "\"unpack\": true", "\"x-own\": {\"a\": null}", "\"name\": \"a\"",
  ])
  func anEntryIsTheSameToBoth(keys: String) throws {
    let json = entry(keys).replacing(
      "{\"files\"", with: "{\"variables\": {\"x\": \"zip\"}, \"files\"")
    #expect(try schemaAccepts(json) == problems(json).isEmpty, "\(json) \(problems(json))")
  }

  @Test func anEntryNeedsAnIDAndAURL() throws {
    #expect(try !schemaAccepts("{\"files\": [{\"id\": \"a\"}]}"))
    #expect(try !schemaAccepts("{\"files\": [{\"url\": \"a\"}]}"))
  }

  @Test func everyKeyOfTheLanguageIsInTheSchema() {
    for key in ["sha256", "integrity", "allow-http", "bearer", "namespace", "$schema"] {
      #expect(ManifestSchema.text.contains("\"\(key)\""))
    }
  }
}
