#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The text of an nginx.conf.
struct NginxConfiguration {
  let options: NginxServer.Options
  let directory: String
  let port: UInt16
  let securePort: UInt16
  let identity: TLSIdentity

  /// A master and one worker: without a master, nginx never looks at sockets that it is handed.
  /// Everything that nginx would write into the system's directories goes into the test's.
  var text: String {
    """
    daemon off;
    worker_processes 1;
    pid "\(directory)/nginx.pid";
    \(getuid() == 0 ? "user root;" : "")
    events { worker_connections 2048; }
    http {
      log_format test '$server_protocol $request_method $request_uri $status $connection';
      access_log "\(directory)/access.log" test;
      client_body_temp_path "\(directory)/client";
      proxy_temp_path "\(directory)/proxy";
      fastcgi_temp_path "\(directory)/fastcgi";
      uwsgi_temp_path "\(directory)/uwsgi";
      scgi_temp_path "\(directory)/scgi";
      default_type application/octet-stream;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 100000;
      \(options.httpDirectives)
      server {
        listen 127.0.0.1:\(port);
        listen 127.0.0.1:\(securePort) ssl\(options.speaksHTTP2 ? " http2" : "");
        ssl_certificate "\(identity.certificateFile)";
        ssl_certificate_key "\(identity.keyFile)";
        root "\(options.root)";
        \(options.serverDirectives)
      }
    }

    """
  }
}
