gcc -O1 -g -fno-inline -o canny "$SOURCE/examples/canny/canny.c" -lm && cp canny prog
sed '/^\[link\.arm\.gpu\]/,$d' "$SOURCE/platforms/tegra-k1.ini" >k1.ini
printf '[link.arm.gpu]\nsource = made up\nlatency = 20e-6\nbandwidth = 2e9\n' >>k1.ini
corecast record -o canny.cast -- ./canny 320x240
