#!/usr/bin/perl
# print.pl BROWSER PROFILE HTML PDF [HTML PDF]...: prints pages with one browser, because its start takes longer than a
# page. The browser gets commands through a pipe (Chrome DevTools Protocol: JSON, each message ends with a zero byte).
use strict;
use warnings;
use POSIX ();

my ($browser, $profile, @pages) = @ARGV;
$^F = 20;   # the browser inherits the pipes
pipe my $commands, my $to_browser or die "pipe: $!\n";
pipe my $from_browser, my $replies or die "pipe: $!\n";
my $pid = fork // die "fork: $!\n";
if (!$pid) {
    POSIX::dup2(fileno $commands, 18);
    POSIX::dup2(fileno $replies, 19);
    POSIX::close($_) for 3 .. 17;
    POSIX::dup2(18, 3), POSIX::dup2(19, 4);
    POSIX::close($_) for 18, 19;
    open STDERR, ">", "/dev/null";
    exec $browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=$profile", "--remote-debugging-pipe",
        "about:blank" or POSIX::_exit(127);
}
close $commands;
close $replies;
$SIG{PIPE} = "IGNORE";
$SIG{ALRM} = sub { kill KILL => $pid };   # then the pipe ends

my ($id, $session) = (0, "");
$/ = "\0";
sub wait_for { my $wanted = shift; while (my $text = <$from_browser>) { return $text if $text =~ $wanted } exit 1 }
# command METHOD PARAMETERS: the reply
sub command
{
    $id++;
    syswrite $to_browser, qq({"id":$id$session,"method":"$_[0]","params":{$_[1]}}\0);
    return wait_for(qr/^\{"id":$id,/);
}
sub member { my ($text, $name) = @_; return $text =~ /"$name":"([^"]*)"/ ? $1 : exit 1 }

alarm 60;
my $target = member(command("Target.createTarget", '"url":"about:blank"'), "targetId");
my $attached = member(command("Target.attachToTarget", qq("targetId":"$target","flatten":true)), "sessionId");
$session = qq(,"sessionId":"$attached");
command("Page.enable", "");
while (my ($html, $pdf) = splice @pages, 0, 2) {
    alarm 60;
    (my $url = $html) =~ s/([^\w.\/-])/sprintf "%%%02X", ord $1/ge;
    $id++;
    syswrite $to_browser, qq({"id":$id$session,"method":"Page.navigate","params":{"url":"file://$url"}}\0);
    wait_for(qr/"method":"Page.frameNavigated".*"url":"file:/);
    wait_for(qr/"method":"Page.loadEventFired"/);
    my $reply = command("Page.printToPDF", '"printBackground":true,"preferCSSPageSize":true');
    open my $decode, "|-", "base64 -d >\Q$pdf\E" or die "base64: $!\n";
    print $decode member($reply, "data");
    close $decode or exit 1;
}
$session = "";
command("Browser.close", "");
waitpid $pid, 0;
