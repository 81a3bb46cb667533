#!/bin/sh
echo $'a\tb'
function f { echo f; }
echo never
