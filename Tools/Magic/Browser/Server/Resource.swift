import Foundation

/// The stylesheet, the script and the icon of all pages. They are part of the program.
enum Resource {
  static let style = Link(["style.css"])
  static let script = Link(["script.js"])
  static let icon = Link(["icon.svg"])

  static func response(_ path: [String]) -> SiteResponse? {
    switch path {
    case ["style.css"]: response(PackageResources.style_css, "text/css; charset=utf-8")
    case ["script.js"]: response(PackageResources.script_js, "text/javascript; charset=utf-8")
    case ["icon.svg"]: response(PackageResources.icon_svg, "image/svg+xml")
    case ["favicon.ico"]:
      SiteResponse(status: 404, type: "text/plain; charset=utf-8", body: .data(Data()))
    default: nil
    }
  }

  private static func response(_ bytes: [UInt8], _ type: String) -> SiteResponse {
    SiteResponse(type: type, body: .data(Data(bytes)))
  }
}
