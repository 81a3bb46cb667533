#!/bin/bash
true | false | (exit 4)
echo "${PIPESTATUS[@]} $?"
(exit 3) | true; echo "$?"
set -o pipefail
(exit 3) | true; echo "$?"
