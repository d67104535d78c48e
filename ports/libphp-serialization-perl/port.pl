# Debian's libphp-serialization-perl as a port: PHP::Serialization's unserialize and
# serialize.
use strict;
use warnings;
use B ();
use JSON::PP ();
use MIME::Base64 qw(decode_base64 encode_base64);
use PHP::Serialization qw(serialize unserialize);
use Scalar::Util qw(blessed looks_like_number);

my $json = JSON::PP->new->max_depth(20000)->canonical;

# unable ends a case that Perl's values do not tell: it is skipped.
sub unable { die { skip => shift } }

my $no_bool  = 'Perl has no bools';
my $no_type  = 'a Perl scalar does not tell a number from its text, nor 1.0 from 1';
my $no_order = 'a Perl hash has no order';

# numeric tells whether a text is what Perl writes for a number.
sub numeric { my $s = shift; return looks_like_number($s) && 0 + $s eq $s }

sub b64 { return encode_base64(shift, '') }

# tag is the tagged value of a Perl one that was read from a payload. In facts it
# notes what only the payload tells: floats come as their text, true as the text 1,
# false as undef.
sub tag {
    my ($v, $payload, $facts) = @_;
    if (!defined $v) {
        unable($no_bool) if $payload =~ /b:/ && $payload =~ /N;|^[^b]/;
        $facts->{bool} = $payload =~ /b:/;
        return $facts->{bool} ? { t => 'bool', v => JSON::PP::false } : { t => 'null' };
    }
    unable('an object is no plain data') if blessed $v;
    if (ref $v eq 'ARRAY') { return { t => 'list', v => [map { tag($_, $payload, $facts) } @$v] } }
    if (ref $v eq 'HASH') {
        unable($no_order) if keys %$v > 1;
        return { t => 'array', v => [map { [key($_), tag($v->{$_}, $payload, $facts)] } keys %$v] };
    }
    my $flags = B::svref_2object(\$v)->FLAGS;
    if (!($flags & B::SVf_POK)) {
        return { t => 'int', v => "$v" } if $flags & B::SVf_IOK; # an unsigned one too: no int of PHP, and judged so
        return { t => 'float', bits => unpack('H*', pack('d>', $v)) };
    }
    if ($payload =~ /^b:/ && $v eq '1') {
        $facts->{bool} = 1;
        return { t => 'bool', v => JSON::PP::true };
    }
    unable($no_bool) if $payload =~ /b:/ && $v eq '1';
    if ($payload =~ /d:/ && looks_like_number($v)) {
        unable($no_type) if $payload =~ /s:/;
        $facts->{integral} = 1 if $v =~ /^-?[0-9]+\z/;
        return { t => 'float', bits => unpack('H*', pack('d>', $v)) };
    }
    $facts->{numeric} = 1 if numeric($v);
    return { t => 'string', b64 => b64($v) };
}

sub key {
    my $k = shift;
    # Of 19 digits those are ints that are no larger, as texts, than the largest int.
    my $is_int = $k =~ /^(?:0|(-?)([1-9][0-9]{0,18}))\z/ && (length($2 // '') < 19 || $2 le '922337203685477580' . ($1 ? 8 : 7));
    return $is_int ? { int => "$k" } : { b64 => b64($k) };
}

# untag is the Perl value that stands for a tagged one.
sub untag {
    my $t = shift;
    my $kind = $t->{t};
    if ($kind eq 'null') { return undef }
    if ($kind eq 'int') { return int($t->{v}) }
    if ($kind eq 'float') {
        my $f = unpack('d>', pack('H*', $t->{bits}));
        unable($no_type) if "$f" =~ /^-?[0-9]+\z/;
        return $f;
    }
    if ($kind eq 'string') {
        my $s = decode_base64($t->{b64});
        unable($no_type) if numeric($s);
        return $s;
    }
    if ($kind eq 'list') { return [map { untag($_) } @{ $t->{v} }] }
    if ($kind eq 'array') {
        unable($no_order) if @{ $t->{v} } > 1;
        return { map { ($_->[0]{int} // decode_base64($_->[0]{b64}) => untag($_->[1])) } @{ $t->{v} } };
    }
    unable($no_bool) if $kind eq 'bool';
    unable("Perl has no values of the kind $kind");
}

sub answer {
    my $q = shift;
    if ($q->{op} eq 'hello') {
        return (name => 'PHP::Serialization', version => $PHP::Serialization::VERSION, language => 'Perl', ops => [qw(decode encode reencode)], profile => 'php');
    }
    return (b64 => b64(serialize(untag($q->{value})))) if $q->{op} eq 'encode';
    my $payload = decode_base64($q->{b64});
    my $value = unserialize($payload);
    my $facts = {};
    my $tagged = tag($value, $payload, $facts);
    return (value => $tagged) if $q->{op} eq 'decode';
    unable($no_bool) if $facts->{bool};
    unable($no_type) if $facts->{numeric} || $facts->{integral};
    return (b64 => b64(serialize($value)));
}

no warnings 'recursion';
$| = 1;
while (my $line = <STDIN>) {
    my $q = $json->decode($line);
    my %a = eval { (ok => JSON::PP::true, answer($q)) };
    if (my $why = $@) {
        # Whatever the library dies of is its refusal.
        %a = ref $why eq 'HASH' ? %$why : (ok => JSON::PP::false, error => (split /\n/, $why)[0]);
    }
    print $json->encode({ id => $q->{id}, %a }), "\n";
}
