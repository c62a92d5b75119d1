import NIOCore
import StarMap
import Testing

@Suite("The catalogue of stars")
struct CatalogueTests {
    @Test("every star has its name and its magnitude; half a star makes no catalogue")
    func reads() {
        var file = ByteBuffer()
        for (name, hundredths) in [("Sirius", Int16(-146)), ("Vega", 3)] {
            file.writeInteger(UInt8(name.utf8.count))
            file.writeString(name)
            file.writeInteger(hundredths)
        }
        #expect(Catalogue(file)?.stars.map(\.name) == ["Sirius", "Vega"])
        #expect(Catalogue(file)?.stars.map(\.magnitude) == [-1.46, 0.03])
        #expect(Catalogue(file.getSlice(at: 0, length: file.readableBytes - 1)!) == nil)
    }
}
