#!/usr/bin/perl
# The agent of a machine under test: asks over gRPC for one action after another, runs the command of each, and reports.
use strict;
use warnings;
use IO::Socket;

my %kernel = map { split /=/, $_, 2 } grep { /=/ } split /\s+/, do { local (@ARGV, $/) = "/proc/cmdline"; <> };
my ($host, $port) = split /:/, $kernel{grpc_authority};
my $agent = $kernel{worker_id};

sub text { my ($number, $value) = @_; return chr($number * 8 + 2) . pack("w", length $value) . $value }
sub frame { my ($type, $flags, $stream, $body) = @_; return substr(pack("N", length $body), 1) . pack("CCN", $type, $flags, $stream) . $body }
# A header that no table keeps, its name and value as they are.
sub header { my ($name, $value) = @_; return "\x10" . chr(length $name) . $name . chr(length $value) . $value }

sub call {
  my ($method, $message) = @_;
  my $socket = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Proto => "tcp", Timeout => 10) or return (14, "");
  my $headers = header(":method", "POST") . header(":scheme", "http") . header(":path", "/proto.WorkflowService/$method")
    . header(":authority", "$host:$port") . header("te", "trailers") . header("content-type", "application/grpc");
  print $socket "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" . frame(4, 0, 0, "") . frame(1, 4, 1, $headers)
    . frame(0, 1, 1, "\0" . pack("N", length $message) . $message);
  $socket->flush;
  my ($data, $ended) = ("", 0);
  until ($ended) {
    read($socket, my $head, 9) == 9 or last;
    my ($length, $type, $flags) = (unpack("N", "\0" . substr($head, 0, 3)), unpack("CC", substr($head, 3, 2)));
    my $body = "";
    read($socket, $body, $length) == $length or last if $length > 0;
    print $socket frame(4, 1, 0, "") if $type == 4 && !($flags & 1);
    $data .= $body if $type == 0;
    $ended = 1 if ($type == 0 || $type == 1) && $flags & 1;
  }
  close $socket;
  return $data;
}

# Texts by their field; a field that comes again is a list.
sub fields {
  my ($bytes) = @_;
  my %found;
  while (length $bytes) {
    my $tag = ord substr($bytes, 0, 1, "");
    my $value = 0;
    for (my $shift = 0; ; $shift += 7) {
      my $next = ord substr($bytes, 0, 1, "");
      $value |= ($next & 127) << $shift;
      last if $next < 128;
    }
    $value = substr($bytes, 0, $value, "") if ($tag & 7) == 2;
    push @{$found{$tag >> 3}}, $value;
  }
  return \%found;
}

sub report {
  my ($action, $state) = @_;
  my $ids = text(1, $action->{1}[0]) . text(2, $agent) . text(3, $action->{2}[0]) . text(4, $action->{4}[0]);
  call("ReportActionStatus", $ids . "\x30" . chr($state));
}

print "agent $agent works for $host:$port\n";
my $done = 0;
while (1) {
  my $answer = call("GetAction", text(1, $agent));
  if (length $answer < 6) { last if $done; sleep 1; next }
  my $action = fields(substr $answer, 5);
  report($action, 2);
  print "agent runs $action->{5}[0]\n";
  my $failed = system { $action->{8}[0] } @{$action->{8}};
  print "agent: $action->{5}[0] ended with $failed\n";
  report($action, $failed ? 3 : 5);
  $done = 1;
  last if $action->{5}[0] eq "last";
}
print "agent is done\n";
