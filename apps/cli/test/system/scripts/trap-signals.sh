#!/bin/bash
trap 'echo got-term' TERM
trap 'echo exit $?' EXIT
kill -TERM $$
echo after
trap - TERM
exit 5
