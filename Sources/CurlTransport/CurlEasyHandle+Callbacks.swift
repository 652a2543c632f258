import Base
import CCurl

/// What libcurl calls, on the loop's thread: each finds the transfer behind its pointer and hands over.
enum EasyCallbacks {
    private static func transfer(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
        guard let pointer else { return nil }
        return Unmanaged<CurlEasyHandle>.fromOpaque(pointer).takeUnretainedValue().transfer
    }

    static let write: curl_write_callback = { bytes, size, count, pointer in
        guard let transfer = transfer(pointer) else { return 0 }
        return transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    static let header: curl_write_callback = { bytes, size, count, pointer in
        guard let transfer = transfer(pointer) else { return 0 }
        return transfer.receiveHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    static let read: curl_read_callback = { bytes, size, count, pointer in
        guard let transfer = transfer(pointer), let bytes else { return turnstone_curl_read_abort }
        return transfer.readBody(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }

    static let seek: curl_seek_callback = { pointer, offset, origin in
        guard let transfer = transfer(pointer), origin == SEEK_SET, offset == 0, transfer.rewindBody() else {
            return CURL_SEEKFUNC_FAIL
        }
        return CURL_SEEKFUNC_OK
    }

    static let debug: curl_debug_callback = { h, kind, bytes, count, pointer in
        if let pointer, let trace = Unmanaged<CurlEasyHandle>.fromOpaque(pointer).takeUnretainedValue().trace {
            trace.add(kind, UnsafeRawBufferPointer(start: bytes, count: count))
        }
        guard [CURLINFO_HEADER_OUT, CURLINFO_DATA_OUT, CURLINFO_TEXT].contains(kind),
            let transfer = transfer(pointer)
        else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        switch kind {
        case CURLINFO_HEADER_OUT: transfer.noteHeadSent(bytes)
        case CURLINFO_DATA_OUT: transfer.noteBodySent(bytes)
        default: transfer.noteRemark(bytes)
        }
        return 0
    }

    static let resolverStart: curl_resolver_start_callback = { _, _, pointer in
        transfer(pointer)?.resolverStarts() == true ? 0 : 1
    }

    static let openSocket: curl_opensocket_callback = { pointer, _, address in
        guard let transfer = transfer(pointer), let address else { return CURL_SOCKET_BAD }
        return transfer.openSocket(address)
    }

    static let closeSocket: curl_closesocket_callback = { pointer, socket in
        guard let pointer else { return close(socket) }
        Unmanaged<ConnectionTable>.fromOpaque(pointer).takeUnretainedValue().close(socket)
        return 0
    }

    static let prereq: curl_prereq_callback = { pointer, remote, local, remotePort, localPort in
        guard let transfer = transfer(pointer) else { return CURL_PREREQFUNC_ABORT }
        let remote = ConnectionTable.Endpoint(address: remote, port: remotePort)
        let local = ConnectionTable.Endpoint(address: local, port: localPort)
        return transfer.connectionReady(remote: remote, local: local) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    static let tlsContext: curl_ssl_ctx_callback = { _, context, pointer in
        guard let transfer = transfer(pointer), let context else { return CURLE_OK }
        transfer.handshakeStarts(OpaquePointer(context))
        return CURLE_OK
    }
}
