/// A picture over cells of a frame, for terminals that show some. The cells below it are the frame's.
package struct FrameImage: Hashable, Sendable {
    package let file: ImageFile
    /// The cells that it fills.
    package let place: Rect

    package init(_ file: ImageFile, in place: Rect) {
        self.file = file
        self.place = place
    }
}

/// The bytes of a PNG file. Equal only to itself, so that two frames are compared at once.
package final class ImageFile: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(png bytes: [UInt8]) { self.bytes = bytes }

    package static func == (left: ImageFile, right: ImageFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
