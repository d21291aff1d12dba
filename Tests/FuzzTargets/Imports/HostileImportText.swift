/// The texts of files that are imported.
enum HostileImportText {
  /// Parts of texts, which the bytes of an input select.
  private static let parts = [
    "{", "}", "[", "]", ",", ":", "\"", "\n", ";", "\"id\"", "\"name\"", "\"age\"", "\"size\"",
    "\"isVIP\"", "\"born\"", "\"token\"", "\"photo\"", "\"tags\"", "\"stay\"", "\"host\"",
    "\"friends\"", "\"rooms\"", "\"next\"", "\"version\"", "\"$ref\"", "\"$id\"", "\"$type\"",
    "\"$objects\"", "\"a\"", "\"b\"", "\"c\"", "null", "true", "false", "0", "1", "-1.5", "1e400",
    "9223372036854775808", "\"\\u0041\"", "\"\\ud800\"", "\"2001-01-01\"", "\"Guest\"", "\"Room\"",
    "\"1\"", "\"2\"", "\"3\"", "\"4\"", "\"5\"", "\"6\"", "{\"id\":\"c\"}", "{\"$ref\":\"a\"}",
    "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\"", "\"AQI=\"", "{\"place\":\"x\",\"since\":1}", "id",
    "name", "age", "born", "host", "tags", "x", "31/12/1999", "\"\"",
  ]

  /// Valid texts of each format, which the bytes of an input change.
  private static func valid(_ form: HostileImports.Form) -> [String] {
    switch form {
    case .csv:
      [
        "id,name,age,size,isVIP,born,host\nc,Cy,3,1.5,yes,2001-01-02,a\na,Ann,,,no,,\n",
        "id;tags;stay;token;photo\n\"d\";\"[\"\"x\"\"]\";\"{\"\"place\"\":\"\"p\"\"}\";;AQI=\n",
      ]
    case .jsonLines, .records:
      [
        #"{"id":"c","name":"Cy","born":"2001-01-02","tags":["x"],"host":{"$ref":"a"}}"# + "\n"
          + #"{"id":"a","age":4,"rooms":{"k":{"name":"n"}},"stay":{"place":"p","since":1}}"#,
        #"{"id":"c","friends":[{"id":"d","host":{"$ref":"c"}},{"$ref":"b"}],"next":{"id":"e"}}"#,
        "id,age,size,born,host\nc,3,1.5,2001-01-02,a\n",
      ]
    case .array, .document:
      [
        #"[{"id":"c","host":{"id":"d","$id":1},"friends":[{"$ref":1}]},{"id":"a","version":1}]"#,
        #"{"id":"c","$id":"x","host":{"$ref":"x"},"size":1,"$objects":[{"$type":"Room","name":"r"}]}"#,
      ]
    case .flatted:
      [
        #"[{"Guest":"1","Room":"2"},["3","4"],["5"],{"id":"6","stay":"7","friends":"8","rooms":"10"},"#
          + #"{"id":"9","host":"3","stay":"7"},{"name":"6","guest":"3"},"c",{"place":"6"},["3","4"],"#
          + #""d",{"k":"5"}]"#,
        #"[["1"],{"id":"2","tags":"3","next":"1"},"a",["2","2"]]"#,
      ]
    }
  }

  static func text(_ input: inout ByteReader, _ form: HostileImports.Form) -> [UInt8] {
    switch input.number(below: 4) {
    case 0: return input.rest()
    case 1:
      var text: [UInt8] = []
      while !input.isAtEnd { text += parts[Int(input.byte()) % parts.count].utf8 }
      return text
    default:
      let texts = valid(form)
      var text = Array(texts[input.number(below: texts.count)].utf8)
      while !input.isAtEnd { change(&text, &input) }
      return text
    }
  }

  private static func change(_ text: inout [UInt8], _ input: inout ByteReader) {
    let place = input.number(below: text.count + 1)
    switch input.number(below: 4) {
    case 0 where place < text.count: text.remove(at: place)
    case 1 where place < text.count: text[place] = input.byte()
    case 2:
      // A part of the text occurs twice.
      let end = min(text.count, place + input.number(below: 64))
      text.insert(contentsOf: text[place..<end], at: place)
    default: text.insert(contentsOf: parts[input.number(below: parts.count)].utf8, at: place)
    }
  }
}
