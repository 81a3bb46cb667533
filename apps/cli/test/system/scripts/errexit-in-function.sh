#!/bin/bash
set -e
inner() { echo in; false; echo never; }
inner
echo never
