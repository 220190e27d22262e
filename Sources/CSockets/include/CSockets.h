typedef int patter_placeholder;
