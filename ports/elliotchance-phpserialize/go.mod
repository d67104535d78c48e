module phpwire-port-elliotchance-phpserialize

go 1.26.8

require (
	github.com/elliotchance/phpserialize v1.4.0
	phpwire v0.0.0
)

replace phpwire => ../..
