<?php return "from below";
