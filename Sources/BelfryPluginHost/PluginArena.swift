import CBelfryPlugin

/// Memory for one call to a plug-in: everything that the call's arguments point to, given back when the arena goes.
///
/// Used by one thread at a time; the plug-in copies what it keeps.
final class PluginArena {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// UTF-8 with its length; the empty string has no bytes.
    func string(_ text: String) -> belfry_string {
        var text = text
        return text.withUTF8 { utf8 in
            guard !utf8.isEmpty else { return belfry_string(bytes: nil, length: 0) }
            let bytes = bytes(UnsafeRawBufferPointer(utf8))
            return belfry_string(bytes: bytes.assumingMemoryBound(to: CChar.self), length: utf8.count)
        }
    }

    func bytes(_ source: UnsafeRawBufferPointer) -> UnsafeRawPointer {
        let block = UnsafeMutableRawPointer.allocate(byteCount: max(1, source.count), alignment: 1)
        blocks.append(block)
        if let base = source.baseAddress { block.copyMemory(from: base, byteCount: source.count) }
        return UnsafeRawPointer(block)
    }

    /// The plug-in ABI's structs are trivial: to give the memory back is all there is to do.
    func place<Value: BitwiseCopyable>(_ value: Value) -> UnsafePointer<Value> {
        let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        blocks.append(UnsafeMutableRawPointer(pointer))
        pointer.initialize(to: value)
        return UnsafePointer(pointer)
    }

    /// A list as the ABI has it: an array of pointers.
    func list<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<UnsafePointer<Value>?>? {
        guard !values.isEmpty else { return nil }
        let pointers = UnsafeMutablePointer<UnsafePointer<Value>?>.allocate(capacity: values.count)
        blocks.append(UnsafeMutableRawPointer(pointers))
        for (index, value) in values.enumerated() { (pointers + index).initialize(to: place(value)) }
        return UnsafePointer(pointers)
    }
}

/// The `struct_size` of a struct of the ABI.
func structSize<Value>(of type: Value.Type) -> UInt32 { UInt32(MemoryLayout<Value>.size) }
