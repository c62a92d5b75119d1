import GateClient
import Logging
import StarMap

// `star-map nebulae` and `star-map open URL`: the app without its window.

let logger = Logger(label: "star-map")
let map = StarMap(gate: GateClient())
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case ("nebulae", nil): await map.showNebulae()
case ("open", let url?): await map.open(url)
case _: print("usage: star-map nebulae | star-map open URL")
}
print("showing the \(map.layer.rawValue)")
for page in map.pages { print("opened \(page)") }
if let hint = map.hint { logger.notice("\(hint)") }
