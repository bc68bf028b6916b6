import CTLS

/// One connection's encryption on the server's side, confined to its connection's thread.
///
/// It never touches the socket: encrypted bytes go in and come out here, so that a script can end the connection
/// with or without a farewell, or in the midst of a record.
final class TLSSession {
  private let context: OpaquePointer
  private let session: OpaquePointer
  /// Owned by `session`.
  private let incoming: OpaquePointer
  /// Owned by `session`.
  private let outgoing: OpaquePointer

  init(_ identity: TLSIdentity) throws {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw TLSError("make a context") }
    guard SSL_CTX_use_certificate_chain_file(context, identity.certificateFile) == 1,
      SSL_CTX_use_PrivateKey_file(context, identity.keyFile, SSL_FILETYPE_PEM) == 1,
      let session = SSL_new(context)
    else {
      SSL_CTX_free(context)
      throw TLSError("load the certificate `\(identity.certificateFile)`")
    }
    guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
      SSL_free(session)
      SSL_CTX_free(context)
      throw TLSError("make buffers")
    }
    SSL_set_bio(session, incoming, outgoing)
    SSL_set_accept_state(session)
    self.context = context
    self.session = session
    self.incoming = incoming
    self.outgoing = outgoing
  }

  deinit {
    SSL_free(session)
    SSL_CTX_free(context)
  }

  /// Goes on with the handshake as far as the bytes reach; whether it is done.
  func advanceHandshake() throws -> Bool {
    let result = SSL_do_handshake(session)
    if result == 1 { return true }
    guard SSL_get_error(session, result) == SSL_ERROR_WANT_READ else {
      throw TLSError("shake hands")
    }
    return false
  }

  /// Takes encrypted bytes from the client.
  func feed(_ bytes: [UInt8]) {
    // A memory buffer takes everything.
    BIO_write(incoming, bytes, CInt(bytes.count))
  }

  /// The next bytes of the client, nil where more must be fed first, none where it said farewell.
  func decrypted() throws -> [UInt8]? {
    var count: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, initializedCount in
      count = SSL_read(session, buffer.baseAddress, CInt(buffer.count))
      initializedCount = max(0, Int(count))
    }
    if count > 0 { return bytes }
    switch SSL_get_error(session, count) {
    case SSL_ERROR_WANT_READ: return nil
    case SSL_ERROR_ZERO_RETURN: return []
    default: throw TLSError("decrypt")
    }
  }

  /// Encrypts bytes for the client; `encrypted` gives the result.
  func encrypt(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    guard SSL_write(session, bytes, CInt(bytes.count)) == bytes.count else {
      throw TLSError("encrypt")
    }
  }

  /// Encrypted bytes for the client, or nil where there are none.
  func encrypted() -> [UInt8]? {
    let pending = BIO_ctrl_pending(outgoing)
    guard pending > 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: pending) { buffer, initializedCount in
      initializedCount = max(0, Int(BIO_read(outgoing, buffer.baseAddress, CInt(pending))))
    }
  }

  /// Says farewell: close_notify.
  func finish() {
    // Whether the client answers doesn't matter to a server that is about to close.
    SSL_shutdown(session)
  }
}

/// Something that OpenSSL couldn't do.
struct TLSError: Error, CustomStringConvertible {
  let description: String

  init(_ action: String) {
    var text = [CChar](repeating: 0, count: 256)
    ERR_error_string_n(ERR_get_error(), &text, text.count)
    ERR_clear_error()
    let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    description = "cannot \(action): \(reason)"
  }
}
